import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import type { Tool } from "../../src/tools/tool.ts";
import type { BenchCall } from "./orders-world.ts";

/**
 * The floor: a straight line of the validations, canonical bytes, digests and journal entries that an operation needs, with
 * npm's `canonicalize`, `node:crypto` and Ajv. No states, no ledger, no look at what comes in, and nothing of ours.
 */
export interface Floor {
  readonly freshWrite: (call: BenchCall) => unknown;
  readonly replay: (call: BenchCall) => unknown;
  readonly refusal: (call: BenchCall) => unknown;
  readonly statusQuery: (call: BenchCall) => unknown;
  /** Everything that validating a package and handing it to a provider has to compute. */
  readonly validateAndAdapt: (call: BenchCall, modelResult: object, audit: { readonly downstream: object }) => unknown;
}

type Steps = readonly (readonly [event: string, state: string])[];

const OBSERVED = "2026-07-19T00:00:00Z";
const ATTEMPT = "0".repeat(32);
const BEGUN: Steps = [
  ["host.bound", "bound"],
  ["identity.claimed", "identified"],
];

const text = (value: unknown): string => canonicalize(value) ?? "";
const digest = (value: unknown): string => createHash("sha256").update(text(value)).digest("hex");

/** The floor for the calls of one tool. */
export function floorOf(tool: Tool): Floor {
  const ajv = new Ajv2020({ ownProperties: true, strict: false });
  const inputFits = ajv.compile(tool.inputSchema);
  const outputFits = ajv.compile(tool.outputSchema);
  const { contract } = tool;
  const provenance = {
    source_label: tool.sourceLabel,
    producer_revision: contract.producer_revision,
    resource_revision: "draft-1-r1",
    observed_at: OBSERVED,
    trust: "untrusted_data",
  };

  const requestOf = ({ principal, proposal }: BenchCall) => {
    const { tenant_id, subject_id } = principal;
    const { input_schema_revision, output_schema_revision, effect_revision } = contract;
    const revisions = { input_schema_revision, output_schema_revision, effect_revision };
    return {
      sha256: digest({ tenant_id, subject_id, tool: proposal.name, arguments: proposal.arguments, ...revisions }),
      revisions,
    };
  };

  const bind = (call: BenchCall, purpose: string) => {
    if (call.proposal.name === tool.name && !inputFits(call.proposal.arguments)) throw new Error("they do not fit");
    const { tenant_id, subject_id } = call.principal;
    const { sha256: request_sha256, revisions } = requestOf(call);
    const context = call.executionContext;
    const fingerprint = digest({ ...context, purpose, request_sha256 });
    const scope = [tenant_id, subject_id, call.proposal.name, context.idempotency_key];
    const status_ref = `status_${digest({ scope, request_sha256 }).slice(0, 32)}`;
    const subject = { ...context, request_sha256, ...revisions, approval_revision: contract.policy_revision };
    return { request_sha256, fingerprint, scope, status_ref, subject };
  };

  const chain = () => {
    let head: string | null = null;
    let sequence = 0;
    return (transaction: string, steps: Steps, detail: object): string => {
      sequence += 1;
      const place = { attempt_id: ATTEMPT, at: 0, position: sequence, previous_sha256: head, sequence };
      head = digest({ ...place, detail, steps, transaction });
      return head;
    };
  };

  const identityOf = ({ principal, executionContext }: BenchCall, fingerprint: string, purpose: string) => {
    const { tenant_id, subject_id } = principal;
    const { provider, api_family, response_id, call_id } = executionContext;
    return {
      fingerprint,
      identity: text([tenant_id, subject_id, provider, api_family, response_id, call_id]),
      purpose,
    };
  };

  const outcomeOf = (output: object | null, refusal: string | null) => {
    const { trust: _trust, ...kept } = provenance;
    const evidence = { request_id: "refund-request-1", receipt_id: "refund-receipt-1" };
    return { delivery: "fresh", record: output === null ? null : { data: output, ...kept, ...evidence }, refusal };
  };

  const resultOf = (output: object | null, delivery: string) => ({
    schema_version: "tool-model-result-v2",
    status: output === null ? "failed" : "succeeded",
    data: output,
    error:
      output === null
        ? {
            code: "NOT_FOUND",
            category: "authorization",
            safe_message: "Nothing of that reference is available.",
            recovery: "none",
            retry_after_ms: null,
          }
        : null,
    execution: { outcome: "committed", delivery, complete: true, truncated: false },
    provenance,
  });

  const packageOf = (call: BenchCall, request_sha256: string, model_result: object, downstream: object) => {
    const { tenant_id, subject_id } = call.principal;
    const { operation_id, idempotency_key, ...provider_context } = call.executionContext;
    const result_sha256 = digest(model_result);
    const principal_ref = `sha256:${digest({ tenant_id, subject_id })}`;
    const call_binding_sha256 = digest({
      ...{ tenant_id, subject_id, ...provider_context, operation_id, idempotency_key },
      ...{ tool_contract: contract, request_sha256, result_sha256, downstream },
    });
    const binding = { request_sha256, result_sha256, call_binding_sha256 };
    return {
      model_result,
      protected_audit: { operation_id, principal_ref, provider_context, tool_contract: contract, binding, downstream },
    };
  };

  const answer = (call: BenchCall) => {
    const output = { draft_id: "DRAFT-1", ...call.proposal.arguments };
    if (!outputFits(output) || Buffer.byteLength(text(output)) > 384) throw new Error("it does not fit");
    return output;
  };
  const evidence = (status_ref: string) => ({
    request_id: "refund-request-1",
    receipt_id: "refund-receipt-1",
    status_ref,
  });

  return {
    freshWrite(call) {
      const { request_sha256, fingerprint, scope, status_ref, subject } = bind(call, "dispatch");
      const [given] = call.approvals;
      const approver_id = given?.approver_id;
      if (digest({ ...subject, approver_id }) !== given?.approval_digest) throw new Error("it is not approved");
      const append = chain();
      append("identity", BEGUN, identityOf(call, fingerprint, "dispatch"));
      const approval = {
        approval_id: given.approval_id,
        approver_id,
        expires_at: given.expires_at,
        key: digest(subject),
      };
      append(
        "reservation",
        [
          ["access.granted", "authorized"],
          ["scope.free", "unclaimed"],
          ["business.permitted", "permitted"],
          ["approval.presented", "approved"],
          ["intent.recorded", "executing"],
        ],
        { approval, scope: text(scope), status_ref },
      );
      append("start", [], {});
      const output = answer(call);
      append("settlement", [["tool.returned", "fresh"]], outcomeOf(output, null));
      return packageOf(call, request_sha256, resultOf(output, "fresh"), evidence(status_ref));
    },
    replay(call) {
      const { request_sha256, fingerprint, status_ref } = bind(call, "dispatch");
      const append = chain();
      append("identity", BEGUN, identityOf(call, fingerprint, "dispatch"));
      const output = JSON.parse(text({ draft_id: "DRAFT-1", ...call.proposal.arguments })) as object;
      append(
        "end",
        [
          ["access.granted", "authorized"],
          ["scope.settled", "replayed"],
        ],
        outcomeOf(output, null),
      );
      return packageOf(call, request_sha256, resultOf(output, "local_replay"), evidence(status_ref));
    },
    refusal(call) {
      const { request_sha256, fingerprint } = bind(call, "dispatch");
      const append = chain();
      append("identity", BEGUN, identityOf(call, fingerprint, "dispatch"));
      append("end", [["access.denied", "rejected"]], outcomeOf(null, "NOT_FOUND"));
      return packageOf(call, request_sha256, resultOf(null, "fresh"), {
        request_id: null,
        receipt_id: null,
        status_ref: null,
      });
    },
    statusQuery(call) {
      const { request_sha256, fingerprint, status_ref } = bind(call, "query_status");
      const query = chain();
      query("identity", BEGUN, identityOf(call, fingerprint, "query_status"));
      const owner = chain();
      owner("query", [["status.queried", "querying"]], {});
      const output = answer(call);
      owner("settlement", [["receipt.found", "receipt_reconciled"]], outcomeOf(output, null));
      query(
        "end",
        [
          ["access.granted", "authorized"],
          ["owner.found", "asking"],
          ["owner.reconciled", "answered"],
        ],
        {},
      );
      return packageOf(call, request_sha256, resultOf(output, "receipt_reconciled"), evidence(status_ref));
    },
    validateAndAdapt(call, modelResult, { downstream }) {
      const { sha256 } = requestOf(call);
      const { data } = modelResult as { readonly data: object };
      if (!inputFits(call.proposal.arguments) || !outputFits(data)) throw new Error("it does not fit");
      if (Buffer.byteLength(text(data)) > 384) throw new Error("it is too long");
      const made = packageOf(call, sha256, modelResult, downstream);
      return { type: "function_call_output", call_id: call.executionContext.call_id, output: text(modelResult), made };
    },
  };
}
