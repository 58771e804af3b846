import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import type { Principal, Risk } from "../protocol/call.ts";
import type { ExecutionBinding } from "../protocol/facts.ts";
import type { Sha256, StatusRef } from "../protocol/ids.ts";
import type { OutputLimits } from "../policy/output-contract.ts";
import type { StandardSchema } from "../schemas/standard-schema.ts";

/** The revisions of a tool. Change one whenever what it names changes: records and approvals are bound to them. */
export interface ToolRevisions {
  readonly inputSchema: string;
  readonly outputSchema: string;
  readonly effect: string;
  readonly handler: string;
  /** Also what every answer must say it was produced by. */
  readonly producer: string;
  readonly policy: string;
}

/** What `authorize` and `precondition` are asked. */
export interface AccessRequest<Arguments> {
  readonly arguments: Arguments;
  readonly principal: Principal;
  /** Aborts at the deadline of the call, or when its caller gives up. */
  readonly signal: AbortSignal;
}

/** What `execute` is given. A tool that writes is given a key and a status_ref each time; a read may do without. */
export interface ExecuteRequest<Arguments, ToolRisk extends Risk = Risk> extends AccessRequest<Arguments> {
  readonly operationId: string;
  readonly idempotencyKey: HandleOf<string, ToolRisk>;
  readonly statusRef: HandleOf<StatusRef, ToolRisk>;
  readonly requestSha256: Sha256;
  /** Hand it downstream, to be kept with the effect (or its `bindingSha256`, where only a short text can be kept). */
  readonly binding: ExecutionBinding;
}

/** What stands for an effect downstream: no write is without, a read can be. */
type HandleOf<Handle, ToolRisk extends Risk> = ToolRisk extends "write" ? Handle : Handle | null;

/** What `execute` returns. */
export interface ExecuteAnswer<Output> {
  readonly output: Output;
  /** The registered producer revision, as the producer itself states it. */
  readonly producerRevision: string;
  readonly resourceRevision: string | null;
  /** Shape: UTC, whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly observedAt: string;
  readonly requestId: string | null;
  /** Evidence of the commit; null for a read. */
  readonly receiptId: string | null;
}

/** What `queryReceipt` is given: handles only, so that the match with what was kept downstream can fail. */
export interface ReceiptRequest {
  readonly statusRef: StatusRef;
  readonly idempotencyKey: string;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** What `queryReceipt` returns when there is a receipt. */
export interface ReceiptAnswer<Output> extends ExecuteAnswer<Output> {
  /** The binding that was kept downstream, or its `bindingSha256` where only that was kept; never one from memory. */
  readonly binding: ExecutionBinding | Sha256;
}

type Awaitable<Value> = Value | Promise<Value>;

/** The schema of an object, loosely: what exactly it may hold is checked when it is compiled. */
export interface ObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** What the arguments and the output of a tool are described by: JSON Schema, or a schema of a library that gives it. */
export type ToolSchema = ObjectSchema | StandardSchema;

/** The type of the values that fit a schema. */
export type ValueOf<Schema> = Schema extends StandardSchema
  ? NonNullable<Schema["~standard"]["types"]>["output"]
  : Schema extends JSONSchema
    ? FromSchema<Schema>
    : never;

/**
 * A tool as its author writes it. `Returned` and `Receipt` are inferred from what the functions return, so that literals
 * keep their types; both must fit the output schema.
 */
export interface ToolDefinition<
  Input extends ToolSchema,
  Output extends ToolSchema,
  Returned extends object,
  Receipt extends object,
  ToolRisk extends Risk = Risk,
> {
  /** What a model calls it. */
  readonly name: string;
  /** What a model is told about it. */
  readonly description: string;
  /** `write` if it changes anything. */
  readonly risk: ToolRisk;
  /**
   * Schema of an object: JSON Schema 2020-12, or a Standard Schema that gives it. Members that it does not name are
   * refused, at every depth. A library's own `validate` is asked too, and must give back what it was given.
   */
  readonly inputSchema: Input;
  /** Schema of an object, as for the input. */
  readonly outputSchema: Output;
  readonly revisions: ToolRevisions;
  /** `provenance.source_label` of its answers. */
  readonly sourceLabel: string;
  /** Default: 16,384 bytes, depth 8. */
  readonly limits?: Partial<OutputLimits>;
  /** Output members that must repeat an argument: output member → argument. */
  readonly outputEquals?: Readonly<Record<string, string>>;
  /** Units: milliseconds from the start of the dispatch or query, 1 to 2,147,483,647. */
  readonly deadlineMs: number;
  /** Whether the principal may see the resource that the arguments name. Only `true` grants. */
  authorize(request: AccessRequest<ValueOf<Input>>): Awaitable<boolean>;
  /** Writes: whether the current state of the resource allows the effect. Only `true` permits. */
  precondition?(request: AccessRequest<ValueOf<Input>>): Awaitable<boolean>;
  /** Does it, at most once a scope. Errors: `NotStarted` when nothing was done; anything else leaves a write unknown. */
  execute(request: ExecuteRequest<ValueOf<Input>, ToolRisk>): Awaitable<ExecuteAnswer<Returned & ValueOf<Output>>>;
  /** Writes: what downstream knows of the outcome; null when there is no receipt. */
  queryReceipt?(request: ReceiptRequest): Awaitable<ReceiptAnswer<Receipt & ValueOf<Output>> | null>;
  /** Whether a subject may approve their own call. Default: no. */
  readonly unsafeSelfApproval?: boolean;
  /** Whether a write may do without `queryReceipt`; an unknown outcome then stays unknown. Default: no. */
  readonly unsafeNoReceipt?: boolean;
}
