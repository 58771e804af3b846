import type { ExpiredLeases, StoredAttempt } from "../ledger/ledger.ts";
import { isSameContract } from "../policy/facts.ts";
import type { Tool } from "../tools/tool.ts";
import { drive } from "./drive.ts";
import { leaseMs, readClock, runClock, UNREGISTERED_DEADLINE_MS, type House } from "./house.ts";
import { Interruption } from "./interruption.ts";
import { perform } from "./operation-effects.ts";
import { OperationRun, type Answer } from "./operation-run.ts";
import { ledgerFailure } from "./writing.ts";

/**
 * Takes the attempts whose lease has run out and settles each by what the taking transaction read: one that had begun is
 * in doubt, one that had not may run, one that was being asked about goes back to unknown.
 * Errors: LEDGER_UNAVAILABLE; CLOCK_INVALID. What one attempt meets does not keep the others from being settled.
 */
export async function recover(house: House): Promise<void> {
  const at = readClock(house.host);
  let taken: ExpiredLeases;
  try {
    taken = await house.ledger.takeExpired(at, (attempt) => leaseMs(house, toolOf(house, attempt)));
  } catch (error) {
    throw ledgerFailure(error);
  }
  if (taken.nextEndMs !== null) house.recoverAfter(taken.nextEndMs);
  await Promise.all(taken.attempts.map((attempt) => settle(house, attempt, at)));
}

async function settle(house: House, attempt: StoredAttempt, at: number): Promise<void> {
  const tool = toolOf(house, attempt);
  const interruption = new Interruption(house.host, tool?.deadlineMs ?? UNREGISTERED_DEADLINE_MS, null);
  try {
    const { bound, proposal } = attempt.context;
    if (bound === null) throw new TypeError("an attempt holds a lease that was never bound");
    const run = new OperationRun(
      house,
      {
        attemptId: attempt.hold.attemptId,
        tool,
        bound,
        proposal,
        presented: 0,
        approvals: [],
        interruption,
        now: runClock(house.host, at),
      },
      attempt,
    );
    await drive(house, run, await firstAnswer(house, run, attempt));
  } catch {
    // It stays as it is stored, and its new lease will run out too: the alarm for that is set.
  } finally {
    interruption.end();
  }
}

/** The tool that the attempt was bound to; one of other revisions is another tool, which nobody approved. */
function toolOf({ registry }: House, { context: { bound, proposal } }: StoredAttempt): Tool | null {
  const tool = registry.find(proposal.name);
  return tool !== null && bound !== null && isSameContract(tool.contract, bound.toolContract) ? tool : null;
}

async function firstAnswer(house: House, run: OperationRun, attempt: StoredAttempt): Promise<Answer | "fenced"> {
  if (attempt.state === "querying") return { event: { type: "receipt.unavailable" } };
  if (attempt.started) return { event: { type: "outcome.lost", answer: null } };
  return perform(house, run, "runTool");
}
