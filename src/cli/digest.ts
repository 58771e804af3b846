import { bindCall } from "../dispatcher/bind.ts";
import { readDispatch, type ReadCall } from "../dispatcher/request.ts";
import { CallgateError } from "../errors/callgate-error.ts";
import {
  approvalDigest,
  approvalSubject,
  callBindingSha256,
  isSha256,
  isStatusRef,
  principalRef,
} from "../json/digests.ts";
import { isIdentifier, isNonBlank } from "../protocol/identifier.ts";
import type { PrincipalRef, Sha256, StatusRef } from "../protocol/ids.ts";
import type { JsonObject, JsonValue } from "../protocol/json.ts";
import type { Downstream } from "../protocol/result.ts";
import { readAuditInput, type AuditEntry } from "./audit-input.ts";
import { gatePartsOf, type GateParts } from "./gate-file.ts";
import { print } from "./output.ts";
import { jsonText } from "./text.ts";

/** Every digest of one call. */
interface Digests {
  readonly request_sha256: Sha256;
  readonly principal_ref: PrincipalRef;
  readonly call_fingerprint_dispatch: Sha256;
  readonly call_fingerprint_query_status: Sha256;
  /** Null for a tool that is not registered, or where there is no approver. */
  readonly approval_digest: Sha256 | null;
  /** Null for a read, a tool that is not registered, or without an idempotency key. */
  readonly status_ref: StatusRef | null;
  /** Null without a result digest. */
  readonly call_binding_sha256: Sha256 | null;
}

const DIGEST_NAMES: ReadonlySet<string> = new Set<keyof Digests>([
  "request_sha256",
  "principal_ref",
  "call_fingerprint_dispatch",
  "call_fingerprint_query_status",
  "approval_digest",
  "status_ref",
  "call_binding_sha256",
]);
const INPUT_NAMES: ReadonlySet<string> = new Set(["principal", "call", "result_sha256", "downstream", "approver_id"]);
const DOWNSTREAM_NAMES = ["request_id", "receipt_id", "status_ref"] as const satisfies readonly (keyof Downstream)[];
const NO_EVIDENCE: Downstream = { request_id: null, receipt_id: null, status_ref: null };

/** What the commands for auditors are told. */
export interface AuditCommand {
  readonly json: boolean;
  /** Undefined: the sample tools. */
  readonly gate?: string | undefined;
}

/** Prints every digest of the calls in a file. Shape: 0; whatever is wrong with the input is an error. */
export async function digest(name: string, { json, gate }: AuditCommand): Promise<number> {
  const { isList, entries } = await readAuditInput(name);
  const parts = await gatePartsOf(gate);
  const all = entries.map((entry) => inEntry(entry, () => digestsOf(entry.value, parts)));
  await print(json ? jsonText(isList ? all : all[0]) : all.map(digestLines).join("\n"));
  return 0;
}

function digestsOf(entry: JsonObject, { registry, approvers }: GateParts): Digests {
  for (const name of Object.keys(entry)) {
    // What this command prints may stand beside what it was made from.
    if (!INPUT_NAMES.has(name) && !DIGEST_NAMES.has(name)) throw unfit(name, "no such member is known here");
  }
  const call = readCallIn(entry);
  const { principal, executionContext: context } = call;
  const tool = registry.find(call.proposal.name);
  const dispatched = bindCall(call, tool, "dispatch");
  const { toolContract: contract } = dispatched;
  const requestSha256 = dispatched.facts.request_sha256;
  const bound = { principal, context, contract, requestSha256 };
  const approverId = memberOf(entry, "approver_id") ?? approvers[0] ?? null;
  if (approverId !== null && !isIdentifier(approverId)) throw unfit("approver_id", "an identifier is expected");
  const resultSha256 = memberOf(entry, "result_sha256");
  if (resultSha256 !== null && !isSha256(resultSha256))
    throw unfit("result_sha256", "64 lowercase hex digits are expected");
  const downstream = downstreamOf(memberOf(entry, "downstream"));
  return {
    request_sha256: requestSha256,
    principal_ref: principalRef(principal),
    call_fingerprint_dispatch: dispatched.fingerprint,
    call_fingerprint_query_status: bindCall(call, tool, "query_status").fingerprint,
    approval_digest: tool === null || approverId === null ? null : approvalDigest(approvalSubject(bound), approverId),
    status_ref: dispatched.statusRef,
    call_binding_sha256: resultSha256 === null ? null : callBindingSha256({ ...bound, resultSha256, downstream }),
  };
}

function readCallIn(entry: JsonObject): ReadCall {
  const principal = memberOf(entry, "principal");
  const call = memberOf(entry, "call");
  if (principal === null) throw unfit("principal", "it is missing");
  if (typeof call !== "object" || call === null || Array.isArray(call)) throw unfit("call", "an object is expected");
  const { name = null, arguments: args = null, ...executionContext } = call as JsonObject;
  // The same reading as that of a dispatch: what the gate would not take has no digests.
  return readDispatch({ principal, proposal: { name, arguments: args }, executionContext });
}

function downstreamOf(given: JsonValue): Downstream {
  if (given === null) return NO_EVIDENCE;
  if (typeof given !== "object" || Array.isArray(given)) throw unfit("downstream", "an object is expected");
  const members = given as JsonObject;
  const [request_id, receipt_id, status_ref] = DOWNSTREAM_NAMES.map((name) => members[name]);
  const isKnown = isEvidence(request_id) && isEvidence(receipt_id) && (status_ref === null || isStatusRef(status_ref));
  if (!isKnown || Object.keys(members).length !== DOWNSTREAM_NAMES.length) {
    throw unfit("downstream", "exactly request_id, receipt_id (texts or null) and status_ref (or null) are expected");
  }
  return { request_id, receipt_id, status_ref };
}

function isEvidence(value: JsonValue | undefined): value is string | null {
  return value === null || isNonBlank(value);
}

function memberOf(object: JsonObject, name: string): JsonValue {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

function unfit(member: string, detail: string): CallgateError {
  return new CallgateError("AUDIT_INPUT_INVALID", { at: `/${member}`, detail });
}

/** An error of one entry names the entry. Shape: a JSON pointer, or one and a member that it is about. */
function inEntry<Result>(entry: AuditEntry, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error;
    const { code, detail } = error;
    const place = error.at ?? "";
    const at = place === "" || place.startsWith("/") ? `${entry.at}${place}` : `${entry.at || "the root"}, ${place}`;
    throw new CallgateError(code, { at, ...(detail === null ? {} : { detail }), cause: error });
  }
}

function digestLines(digests: Digests): string {
  const width = Math.max(...Object.keys(digests).map((name) => name.length));
  return Object.entries(digests)
    .map(([name, value]) => `${name.padEnd(width)}  ${value ?? "none"}\n`)
    .join("");
}
