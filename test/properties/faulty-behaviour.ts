import { AsyncLocalStorage } from "node:async_hooks";
import { bindingSha256 } from "../../src/json/binding-digest.ts";
import type { Principal } from "../../src/protocol/call.ts";
import type { ExecutionBinding } from "../../src/protocol/facts.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import { changed } from "../model/sample-facts.ts";
import type { DispatchStep, OrderStatus, QueryStep, Registered, Step } from "../model/steps.ts";
import { badAnswer, contradicting, denial, MARK, throwSomething } from "./misbehaviour.ts";

const OBSERVED_AT = "2026-07-19T00:00:00Z";

/** What is behind the tools, in one world. */
export interface Behind {
  readonly orders: Map<string, { readonly tenant: string; readonly subject: string; readonly status: OrderStatus }>;
  /** How often the tool that writes has run in each scope. */
  readonly runsInScope: Map<string, number>;
  /** What it was last asked to do, by status_ref, as a receipt would say it: contradicting ones are made of it. */
  readonly attempted: Map<string, Receipt>;
  /** What it committed, by status_ref. */
  readonly committed: Map<string, Receipt>;
  /** The status_refs whose receipt is kept. */
  readonly receipts: Set<string>;
  /** How often it has run. */
  runs: number;
  /** Lets every deadline that is running pass. */
  passDeadlines(): void;
  /** Lets others overtake: resolves when the test says so. */
  pause(where: string): Promise<void>;
}

/** What the tool that writes commits and answers. */
export interface Draft {
  readonly output: { readonly draft_id: string; readonly order_ref: string; readonly reason: Reason };
  readonly producerRevision: string;
  readonly resourceRevision: string;
  readonly observedAt: string;
  readonly requestId: string;
  readonly receiptId: string;
}

/** A draft and the binding that was kept with it. */
export interface Receipt extends Draft {
  readonly binding: ExecutionBinding;
}

type Reason = "duplicate" | "damaged" | "other";

/** The step that a tool is called for, and the world that it is in. The tools themselves are made once. */
interface Here {
  readonly behind: Behind;
  readonly step: DispatchStep | QueryStep;
}

const here = new AsyncLocalStorage<Here>();

/** Does something as one step: the tools that are called for it have its faults. */
export function during<Result>(behind: Behind, step: DispatchStep | QueryStep, work: () => Result): Result {
  return here.run({ behind, step }, work);
}

function whereWeAre(): Here {
  const found = here.getStore();
  if (found === undefined) throw new TypeError("a tool was called for no step");
  return found;
}

/** Whether a step lets deadlines pass: its own, and those of whatever happens at the same time. */
export function passesDeadlines(step: Step): boolean {
  if (step.kind === "order") return false;
  if (step.fault === "lost" || step.fault === "lost_without_receipt") return step.variant % 3 !== 0;
  if (step.fault === "receipt_withheld") return step.variant % 3 === 2;
  return step.fault === "authorize_hangs" || step.fault === "precondition_hangs";
}

async function hang(): Promise<never> {
  const { behind } = whereWeAre();
  await behind.pause("deadlines pass");
  behind.passDeadlines();
  return new Promise<never>(() => undefined);
}

/** Whether the order may be seen, or whatever the step makes of it. */
export async function authorize(order_ref: string, { tenant_id, subject_id, roles }: Principal): Promise<boolean> {
  const { behind, step } = whereWeAre();
  await behind.pause("authorize");
  if (step.fault === "authorize_hangs") return hang();
  if (step.fault === "authorize_throws") return denial(step.variant);
  const order = behind.orders.get(order_ref);
  if (order === undefined || order.tenant !== tenant_id) return false;
  return order.subject === subject_id || roles.includes("support_admin");
}

/** Whether the order is paid, or whatever the step makes of it. */
export async function precondition(order_ref: string): Promise<boolean> {
  const { behind, step } = whereWeAre();
  await behind.pause("precondition");
  if (step.fault === "precondition_hangs") return hang();
  if (step.fault === "precondition_throws") return denial(step.variant);
  return behind.orders.get(order_ref)?.status === "paid";
}

/** Some turns in which others can gather, wait and give up. */
async function takesAWhile(where: string): Promise<void> {
  const { behind, step } = whereWeAre();
  for (let turns = step.variant % 7; turns > 0; turns -= 1) await behind.pause("busy");
  await behind.pause(where);
}

async function begin(): Promise<void> {
  const { fault } = whereWeAre().step;
  if (fault !== "RATE_LIMIT" && fault !== "TOOL_ERROR" && fault !== "TIMEOUT_BEFORE_EXECUTE") return;
  await takesAWhile("not begun");
  throw new NotStarted(fault, { cause: new Error(MARK) });
}

async function answer<Answer extends object>(good: () => Answer): Promise<Answer> {
  const { behind, step } = whereWeAre();
  const { fault, variant } = step;
  await takesAWhile("answer");
  if (fault === "throws") return throwSomething(variant);
  if (fault === "bad_output") return badAnswer(good(), variant);
  if (fault !== "lost" && fault !== "lost_without_receipt") return good();
  if (variant % 3 === 0) return throwSomething(variant);
  if (variant % 3 === 1) return hang();
  behind.passDeadlines();
  await behind.pause("too late");
  return good();
}

/** The registered producer of refunds. */
export function refundProducer(registered: Registered): string {
  return registered === "new_producer" ? changed("refunds-mock-v2") : "refunds-mock-v2";
}

function draftOf(run: number, order_ref: string, reason: Reason): Draft {
  return {
    output: { draft_id: `DRAFT-${run}`, order_ref, reason },
    producerRevision: refundProducer(whereWeAre().step.registered),
    resourceRevision: `draft-${run}-r1`,
    observedAt: OBSERVED_AT,
    requestId: `refund-request-${run}`,
    receiptId: `refund-receipt-${run}`,
  };
}

/** Commits a draft and answers, or whatever the step makes of it. */
export async function executeRefund(
  order_ref: string,
  reason: Reason,
  scope: string,
  binding: ExecutionBinding,
): Promise<Draft> {
  const { behind, step } = whereWeAre();
  const statusRef = String(binding.status_ref);
  behind.attempted.set(statusRef, { ...draftOf(1, order_ref, reason), binding });
  await begin();
  behind.runs += 1;
  const draft = draftOf(behind.runs, order_ref, reason);
  behind.runsInScope.set(scope, (behind.runsInScope.get(scope) ?? 0) + 1);
  behind.committed.set(statusRef, { ...draft, binding });
  const { fault } = step;
  if (fault === "none" || fault === "hands_over" || fault === "lost") behind.receipts.add(statusRef);
  const order = behind.orders.get(order_ref);
  if (fault === "hands_over" && order !== undefined) behind.orders.set(order_ref, { ...order, subject: "user-2" });
  return answer(() => draft);
}

/** The receipt that was kept, or whatever the step makes of it. */
export async function queryReceipt(statusRef: string) {
  const { behind, step } = whereWeAre();
  const { fault, variant } = step;
  await behind.pause("receipt");
  if (fault === "receipt_withheld" && variant % 3 === 1) return throwSomething(variant);
  if (fault === "receipt_withheld" && variant % 3 === 2) return hang();
  const attempted = behind.attempted.get(statusRef);
  if (fault === "receipt_contradicts" && attempted !== undefined) return contradicting(attempted, variant);
  const receipt = behind.committed.get(statusRef);
  if (fault === "receipt_withheld" || receipt === undefined || !behind.receipts.has(statusRef)) return null;
  return variant % 2 === 0 ? receipt : { ...receipt, binding: bindingSha256(receipt.binding) };
}

/** Answers with the order, or whatever the step makes of it. */
export async function executeRead(order_ref: string) {
  await begin();
  return answer(() => ({
    output: { order_ref, status: whereWeAre().behind.orders.get(order_ref)?.status ?? "paid" },
    producerRevision: "orders-mock-v2",
    resourceRevision: null,
    observedAt: OBSERVED_AT,
    requestId: "orders-request-1",
    receiptId: null,
  }));
}
