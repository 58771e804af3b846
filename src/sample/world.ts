import type { SimulatedHost } from "../host/simulated.ts";
import type { Tool } from "../tools/tool.ts";
import { createRefundDraft, refundService } from "./create-refund-draft.ts";
import { faultSwitch, type FaultSwitch } from "./faults.ts";
import { getOrder } from "./get-order.ts";
import { sampleOrders, type SampleOrder } from "./orders.ts";

/** The people who may approve in the sample world. */
export const SAMPLE_APPROVERS = ["human-reviewer-1"] as const;

/** One sample world: its tools, and what is behind them. Nothing is shared between two worlds. */
export interface SampleWorld {
  readonly tools: readonly Tool[];
  readonly approvers: readonly string[];
  /** The orders as they are now; set one to change the state that the tools find. */
  readonly orders: Map<string, SampleOrder>;
  readonly faults: FaultSwitch;
  /** How often the tool that writes has run, lost answers included. */
  readonly sideEffectCount: number;
}

/**
 * Opens a sample world.
 * @param clock the host by which the gate keeps deadlines: a lost answer lets it pass one
 * Source: contract, section 9.
 */
export function sampleWorld(clock: Pick<SimulatedHost, "advance">): SampleWorld {
  const orders = sampleOrders();
  const faults = faultSwitch();
  const refunds = refundService();
  const passTime = (milliseconds: number): void => {
    clock.advance(milliseconds);
  };
  return {
    tools: [getOrder(orders, faults), createRefundDraft(orders, refunds, faults, passTime)],
    approvers: SAMPLE_APPROVERS,
    orders,
    faults,
    get sideEffectCount() {
      return refunds.runs;
    },
  };
}
