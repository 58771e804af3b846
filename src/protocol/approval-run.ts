import type { AttemptId } from "./ids.ts";

/** The states of an approval. */
export const APPROVAL_STATES = [
  "requested",
  "granted",
  "reserved",
  "consumed",
  "denied",
  "withdrawn",
  "expired",
  "voided",
] as const;

/** What an approval is. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** All that an approval remembers: plain data, stored with its state. */
export interface ApprovalContext {
  /** Who decided, once somebody did. */
  readonly approvalId: string | null;
  readonly approverId: string | null;
  /** Units: seconds since the Unix epoch. */
  readonly expiresAt: number | null;
  /** The attempt that holds the grant, while reserved or consumed. */
  readonly holder: AttemptId | null;
}

/** Facts of the past that an approval answers. Plain data. */
export type ApprovalEvent =
  | {
      readonly type: "request.granted";
      readonly approvalId: string;
      readonly approverId: string;
      readonly expiresAt: number;
    }
  | { readonly type: "request.denied" }
  | { readonly type: "request.withdrawn" }
  | { readonly type: "request.expired" }
  | { readonly type: "grant.reserved"; readonly holder: AttemptId }
  | { readonly type: "grant.consumed" }
  | { readonly type: "grant.released" }
  | { readonly type: "grant.expired" }
  | { readonly type: "grant.voided" };

/** Type of an approval event. */
export type ApprovalEventType = ApprovalEvent["type"];

/** The closed alphabet of the approval: each event with exactly the members it carries beside `type`. */
export const APPROVAL_EVENTS = {
  "request.granted": ["approvalId", "approverId", "expiresAt"],
  "request.denied": [],
  "request.withdrawn": [],
  "request.expired": [],
  "grant.reserved": ["holder"],
  "grant.consumed": [],
  "grant.released": [],
  "grant.expired": [],
  "grant.voided": [],
} as const satisfies Record<ApprovalEventType, readonly string[]>;
