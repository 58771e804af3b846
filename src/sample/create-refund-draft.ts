import type { Principal } from "../protocol/call.ts";
import { compiledTool } from "../tools/compiled-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { ExecuteAnswer, ReceiptAnswer } from "../tools/definition.ts";
import { createRefundDraftInput, createRefundDraftOutput } from "./compiled-checks.ts";
import type { FaultProbe } from "./faults.ts";
import { SAMPLE_OBSERVED_AT } from "./get-order.ts";
import { maySeeOrder, type SampleOrder } from "./orders.ts";
import { SAMPLE_SCHEMAS, type REFUND_REASONS } from "./schemas.ts";

const DEADLINE_MS = 800;

/** A draft of a refund, as the tool answers it. */
interface RefundDraft {
  draft_id: string;
  order_ref: string;
  reason: (typeof REFUND_REASONS)[number];
}

/** The service behind the tool that writes: it keeps drafts, and receipts of them by its own idempotency key. */
export interface RefundService {
  /** How often it has committed a draft, over all principals. */
  readonly runs: number;
  /** Commits the next draft. */
  commit(draft: Omit<RefundDraft, "draft_id">): ExecuteAnswer<RefundDraft>;
  /** Keeps what proves a commit, under the key that it was made with. */
  keepReceipt(principal: Principal, idempotencyKey: string | null, receipt: ReceiptAnswer<RefundDraft>): void;
  /** What was kept under a key, or null. */
  findReceipt(principal: Principal, idempotencyKey: string): ReceiptAnswer<RefundDraft> | null;
}

/** A refund service without drafts. */
export function refundService(): RefundService {
  const receipts = new Map<string, ReceiptAnswer<RefundDraft>>();
  const receiptKey = (principal: Principal, idempotencyKey: string | null): string =>
    JSON.stringify([principal.tenant_id, principal.subject_id, idempotencyKey]);
  let runs = 0;
  return {
    get runs() {
      return runs;
    },
    commit: ({ order_ref, reason }) => {
      runs += 1;
      return {
        output: { draft_id: `DRAFT-${runs}`, order_ref, reason },
        producerRevision: "refunds-mock-v2",
        resourceRevision: `draft-${runs}-r1`,
        observedAt: SAMPLE_OBSERVED_AT,
        requestId: `refund-request-${runs}`,
        receiptId: `refund-receipt-${runs}`,
      };
    },
    keepReceipt: (principal, idempotencyKey, receipt) => {
      receipts.set(receiptKey(principal, idempotencyKey), receipt);
    },
    findReceipt: (principal, idempotencyKey) => receipts.get(receiptKey(principal, idempotencyKey)) ?? null,
  };
}

/**
 * The sample tool that writes. Source: contract, section 9.
 * @param passTime moves the clock by which deadlines are kept on, in milliseconds: how a lost answer becomes one
 */
export function createRefundDraft(
  orders: ReadonlyMap<string, SampleOrder>,
  refunds: RefundService,
  faults: FaultProbe,
  passTime: (milliseconds: number) => void,
): Tool {
  return compiledTool(
    {
      name: "create_refund_draft",
      description: "Prepare the draft of a refund of an order. A person has to approve it.",
      risk: "write",
      inputSchema: SAMPLE_SCHEMAS.createRefundDraftInput,
      outputSchema: SAMPLE_SCHEMAS.createRefundDraftOutput,
      revisions: {
        inputSchema: "refund-draft-input-v1",
        outputSchema: "refund-draft-output-v2",
        effect: "create-refund-draft-v1",
        handler: "refund-draft-handler-v2",
        producer: "refunds-mock-v2",
        policy: "refund-draft-policy-v1",
      },
      sourceLabel: "refunds",
      limits: { outputBytes: 384, outputDepth: 1 },
      outputEquals: { order_ref: "order_ref", reason: "reason" },
      deadlineMs: DEADLINE_MS,
      // The sample world's contract has one approver, who may be anybody, and no rule against approving one's own call.
      unsafeSelfApproval: true,
      authorize: ({ arguments: { order_ref }, principal }) => maySeeOrder(orders.get(order_ref), principal),
      precondition: ({ arguments: { order_ref } }) => orders.get(order_ref)?.status === "paid",
      execute: ({ arguments: draft, principal, idempotencyKey, binding }) => {
        faults.refuseStart();
        const answer = refunds.commit(draft);
        if (faults.keepsReceipt()) refunds.keepReceipt(principal, idempotencyKey, { ...answer, binding });
        return faults.losesAnswer() ? neverAnswer(passTime) : answer;
      },
      queryReceipt: ({ principal, idempotencyKey }) => refunds.findReceipt(principal, idempotencyKey),
    },
    { inputSchema: createRefundDraftInput, outputSchema: createRefundDraftOutput },
  );
}

/** A promise that stays pending, while the time passes in which its answer was awaited. */
function neverAnswer(passTime: (milliseconds: number) => void): Promise<never> {
  queueMicrotask(() => {
    passTime(DEADLINE_MS);
  });
  return new Promise<never>(() => undefined);
}
