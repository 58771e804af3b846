import type { Principal } from "../protocol/call.ts";

/** One order of the sample world. */
export interface SampleOrder {
  readonly tenantId: string;
  readonly subjectId: string;
  readonly status: "paid" | "pending" | "refunded";
  readonly revision: string;
}

/** The role that may see every order of its own tenant. */
const SUPPORT_ADMIN = "support_admin";

/** The orders with which every sample world starts. Source: contract, section 9. */
export function sampleOrders(): Map<string, SampleOrder> {
  return new Map([
    ["ORDER-7", { tenantId: "tenant-a", subjectId: "user-1", status: "paid", revision: "order-7-r3" }],
    ["ORDER-8", { tenantId: "tenant-a", subjectId: "user-2", status: "paid", revision: "order-8-r2" }],
    ["ORDER-9", { tenantId: "tenant-b", subjectId: "user-1", status: "paid", revision: "order-9-r4" }],
  ]);
}

/** Whether somebody may see an order: their own one or, as support, any one of their tenant. */
export function maySeeOrder(order: SampleOrder | undefined, principal: Principal): boolean {
  if (order === undefined || order.tenantId !== principal.tenant_id) return false;
  return order.subjectId === principal.subject_id || principal.roles.includes(SUPPORT_ADMIN);
}
