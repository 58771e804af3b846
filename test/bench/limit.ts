import {
  approvalDigest,
  approvalKey,
  approvalSubject,
  callFingerprint,
  identityKey,
  requestSha256,
  scopeKey,
  sha256,
  statusRef,
} from "../../src/json/digests.ts";
import { canonicalize, copyJson } from "../../src/json/canonical.ts";
import { buildSuccess } from "../../src/packages/build.ts";
import type { BoundCall } from "../../src/protocol/bound-call.ts";
import type { Purpose } from "../../src/protocol/call.ts";
import type { OutcomeRecord, ResultPackage } from "../../src/protocol/result.ts";
import type { Tool } from "../../src/tools/tool.ts";
import type { BenchCall } from "./orders-world.ts";

/** The limit: the quickest code by hand that gives the same bytes, with no machine, no ledger and nothing to wait for. */
export interface Limit {
  readonly freshWrite: (call: BenchCall) => ResultPackage;
  readonly replay: (call: BenchCall) => ResultPackage;
}

/** The limit for the calls of one tool that writes. */
export function limitOf(tool: Tool): Limit {
  const { contract } = tool;
  let runs = 0;

  const bind = ({ principal, proposal, executionContext }: BenchCall, purpose: Purpose): BoundCall => {
    const { value, canonical } = copyJson(proposal.arguments, { depth: 1 });
    if (!tool.inputFits(value)) throw new Error("they do not fit");
    const request_sha256 = requestSha256(principal, contract, canonical);
    const scope = scopeKey(principal, tool.name, executionContext.idempotency_key ?? "");
    const { provider, api_family, adapter_revision } = executionContext;
    const { output_schema_revision, effect_revision, handler_revision, producer_revision } = contract;
    const revisions = { output_schema_revision, effect_revision, handler_revision, producer_revision };
    return {
      ...{ principal, executionContext, scope, risk: tool.risk, toolContract: contract, sourceLabel: tool.sourceLabel },
      facts: { request_sha256, provider, api_family, adapter_revision, ...revisions },
      fingerprint: callFingerprint(executionContext, purpose, request_sha256),
      identity: identityKey(principal, executionContext),
      statusRef: statusRef(scope, request_sha256),
    };
  };

  const recordOf = (run: number, args: object): OutcomeRecord => ({
    data: { draft_id: `DRAFT-${run}`, ...args },
    source_label: tool.sourceLabel,
    producer_revision: contract.producer_revision,
    resource_revision: `draft-${run}-r1`,
    observed_at: "2026-07-19T00:00:00Z",
    request_id: `refund-request-${run}`,
    receipt_id: `refund-receipt-${run}`,
  });

  const entry = (previous: string, sequence: number, rest: string): string =>
    sha256(
      `{"at":0,"attempt_id":"${"0".repeat(32)}",${rest},"position":${sequence},"previous_sha256":${previous},"sequence":${sequence}}`,
    );

  const identityEntry = ({ fingerprint, identity }: BoundCall): string =>
    entry(
      "null",
      1,
      `"detail":{"fingerprint":"${fingerprint}","identity":${JSON.stringify(identity)},"purpose":"dispatch"}`,
    );

  return {
    freshWrite(call) {
      const bound = bind(call, "dispatch");
      const { executionContext: context, facts, scope } = bound;
      const subject = approvalSubject({ context, contract, requestSha256: facts.request_sha256 });
      const [given] = call.approvals;
      if (given === undefined || approvalDigest(subject, given.approver_id) !== given.approval_digest) {
        throw new Error("it is not approved");
      }
      let head = identityEntry(bound);
      head = entry(
        head,
        2,
        `"detail":{"key":"${approvalKey(subject)}","scope":${JSON.stringify(scope)},"status_ref":"${bound.statusRef ?? ""}"}`,
      );
      head = entry(head, 3, `"detail":{}`);
      runs += 1;
      const record = recordOf(runs, call.proposal.arguments);
      if (!tool.outputFits(record.data, call.proposal.arguments)) throw new Error("it does not fit");
      entry(head, 4, `"detail":${canonicalize(record)}`);
      return buildSuccess({ bound, record, delivery: "fresh", downstreamStatusRef: bound.statusRef });
    },
    replay(call) {
      const bound = bind(call, "dispatch");
      const record = recordOf(1, call.proposal.arguments);
      entry(identityEntry(bound), 2, `"detail":${canonicalize(record)}`);
      return buildSuccess({ bound, record, delivery: "local_replay", downstreamStatusRef: bound.statusRef });
    },
  };
}
