/** A decision of an eligible person, bound to one exact call. Source: contract, section 10. */
export interface Approval {
  /** Bound to nothing; for people to refer to. */
  readonly approval_id: string;
  readonly operation_id: string;
  readonly call_id: string;
  readonly provider: string;
  readonly api_family: string;
  readonly adapter_revision: string;
  readonly idempotency_key: string | null;
  readonly tool_name: string;
  readonly subject_id: string;
  /** Revision of the tool's input schema. */
  readonly schema_version: string;
  /** Revision of the tool's policy. */
  readonly approval_revision: string;
  readonly approval_digest: string;
  /** Units: seconds since the Unix epoch. Valid while now is smaller. */
  readonly expires_at: number;
  readonly approver_id: string;
}
