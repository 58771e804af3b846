import type { ExecutionContext, Principal } from "../../src/protocol/call.ts";

/**
 * What is made to go wrong in a dispatch. `lost` and `lost_without_receipt` commit and do not answer; `throws` leaves
 * no receipt; `bad_output` answers with something that breaks the output contract; `hands_over` is no fault of a write's,
 * but gives its order to user-2.
 */
export type DispatchFault =
  | "none"
  | "authorize_throws"
  | "authorize_hangs"
  | "precondition_throws"
  | "precondition_hangs"
  | "RATE_LIMIT"
  | "TOOL_ERROR"
  | "TIMEOUT_BEFORE_EXECUTE"
  | "throws"
  | "bad_output"
  | "hands_over"
  | "lost"
  | "lost_without_receipt";

/** What is made to go wrong in a status query. */
export type QueryFault = "none" | "authorize_throws" | "receipt_withheld" | "receipt_contradicts";

/** How the tool that writes is registered now: as at first, or with one revision changed. */
export type Registered = "first" | "new_handler" | "new_producer" | "new_policy";

interface CallStep {
  readonly principal: Principal;
  readonly proposal: { readonly name: string; readonly arguments: unknown };
  readonly context: ExecutionContext;
  readonly registered: Registered;
  /** Units: seconds since the Unix epoch. */
  readonly now: number;
  /** Which of the ways in which the fault can be acted out; means nothing to the model. */
  readonly variant: number;
}

/** One dispatch. Shape: an approval's `approval_digest` is `abstractDigest` of its members, or any other value. */
export interface DispatchStep extends CallStep {
  readonly kind: "dispatch";
  readonly approvals: readonly unknown[];
  readonly fault: DispatchFault;
}

/** One status query. */
export interface QueryStep extends CallStep {
  readonly kind: "query";
  /** A handle made by `handleOf`; null stands for a malformed one. */
  readonly statusRef: string | null;
  /** A request made by `requestOf`, `own` for that of this very call; null stands for a malformed one. */
  readonly expectedRequest: string | null;
  readonly fault: QueryFault;
}

/** An order changes outside of the gate: its business state, and whose it is. */
export interface OrderStep {
  readonly kind: "order";
  readonly orderRef: string;
  readonly status: OrderStatus;
  readonly subject: string;
}

/** One thing that happens. */
export type Step = DispatchStep | QueryStep | OrderStep;

/** States of an order. */
export type OrderStatus = "paid" | "pending" | "refunded";
