declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** SHA-256 of canonical JSON, 64 lowercase hex digits. Made only by `json/digests.ts`. */
export type Sha256 = Branded<"Sha256">;

/** Opaque handle of an outcome in doubt. Shape: `status_` and 32 lowercase hex digits. */
export type StatusRef = Branded<"StatusRef">;

/** Digest that stands for who acts. Shape: `sha256:` and 64 lowercase hex digits. */
export type PrincipalRef = Branded<"PrincipalRef">;

/** One machine run: one dispatch, or one status query, of one call. 128 random bits from the host, in hex. */
export type AttemptId = Branded<"AttemptId">;

/** Key of an idempotency namespace: canonical JSON of [tenant, subject, tool, key]. */
export type ScopeKey = Branded<"ScopeKey">;

/** Key of a provider call identity: canonical JSON of [tenant, subject, provider, api family, response id, call id]. */
export type IdentityKey = Branded<"IdentityKey">;

/** Key of an approval run: digest of the approval digest's members without `approver_id`. */
export type ApprovalKey = Branded<"ApprovalKey">;
