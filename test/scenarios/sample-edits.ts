import type { Edits } from "./edited.ts";
import { valueAt } from "./sample-document.ts";

const CASE = "/cases/0";
const ROLES = `${CASE}/principal/roles`;
const STEP = `${CASE}/steps/0`;
const QUERY = `${CASE}/steps/1`;
const ARGUMENTS = `${STEP}/proposal/arguments`;
const CONTEXT = `${STEP}/execution_context`;
const EXPECTED = `${STEP}/expected`;

const LONG = "\u{1f600}".repeat(256);
const WIDE = Array.from({ length: 1_025 }, () => 0);
const roles = (count: number): string[] => Array.from({ length: count }, (_, index) => `role-${index + 10}`);
const many = (count: number): unknown[] => Array.from({ length: count }, () => ({}));
const caseWith = (id: string, ...steps: unknown[]): unknown => ({ ...(valueAt(CASE) as object), id, steps });

/** What may stand in the sample document instead of what stands there. Shape: what it is, edits. */
export const ACCEPTED_SAMPLE_EDITS: readonly (readonly [string, Edits])[] = [
  ["now 0", { [`${STEP}/now`]: 0 }],
  ["the last second", { [`${STEP}/now`]: 253_402_300_739 }],
  ["no key", { [`${CONTEXT}/idempotency_key`]: null }],
  ["an id of 255 code points", { [`${CASE}/id`]: "\u{1f600}".repeat(255) }],
  ["32 roles", { [ROLES]: roles(32) }],
  ["roles in order of code points", { [ROLES]: ["\uff5e", "\u{1f600}"] }],
  ["arguments that fit no tool", { [ARGUMENTS]: { any: [1.5, null, 1e21] } }],
  ["the name of no tool", { [`${STEP}/proposal/name`]: "no tool at all" }],
  ["an expectation that cannot come true", { [`${EXPECTED}/side_effect_count`]: 99 }],
  [
    "a query of a query",
    { [`${CASE}/steps/2`]: { ...(valueAt(QUERY) as object), step_id: "again", status_ref_from: "ask" } },
  ],
  ["one step id in two cases", { "/cases/1": caseWith("other", valueAt(STEP)) }],
];

/** What may not. Shape: what it is, edits, where the reader says that it is wrong. */
export const REFUSED_SAMPLE_EDITS: readonly (readonly [string, Edits, string])[] = [
  ["a schema for editors", { "/$schema": "tool-cases-v2.schema.json" }, "/$schema"],
  ["another contract", { "/contract/model_result": "tool-model-result-v1" }, "/contract/model_result"],
  ["another audit", { "/contract/protected_audit": "tool-audit-v1" }, "/contract/protected_audit"],
  ["no cases", { "/cases": [] }, "/cases"],
  ["257 cases", { "/cases": many(257) }, "/cases"],
  ["no steps", { [`${CASE}/steps`]: [] }, `${CASE}/steps`],
  ["257 steps", { [`${CASE}/steps`]: many(257) }, `${CASE}/steps`],
  ["two cases of one id", { "/cases/1": valueAt(CASE) }, "/cases/1/id"],
  ["two steps of one id", { [`${QUERY}/step_id`]: "draft" }, `${QUERY}/step_id`],
  ["an empty id", { [`${CASE}/id`]: "" }, `${CASE}/id`],
  ["a blank id", { [`${CASE}/id`]: " \u3000\u0085" }, `${CASE}/id`],
  ["a long id", { [`${CASE}/id`]: LONG }, `${CASE}/id`],
  ["a blank step id", { [`${STEP}/step_id`]: " " }, `${STEP}/step_id`],
  ["a blank tenant", { [`${CASE}/principal/tenant_id`]: " " }, `${CASE}/principal/tenant_id`],
  ["a long subject", { [`${CASE}/principal/subject_id`]: LONG }, `${CASE}/principal/subject_id`],
  ["33 roles", { [ROLES]: roles(33) }, ROLES],
  ["a blank role", { [ROLES]: ["a", ""] }, `${ROLES}/1`],
  ["a long role", { [ROLES]: [LONG] }, `${ROLES}/0`],
  ["a null role", { [ROLES]: [null] }, `${ROLES}/0`],
  ["roles out of order", { [ROLES]: ["b", "a"] }, `${ROLES}/1`],
  ["a role twice", { [ROLES]: ["a", "a"] }, `${ROLES}/1`],
  ["roles in order of UTF-16 units", { [ROLES]: ["\u{1f600}", "\uff5e"] }, `${ROLES}/1`],
  ["another action", { [`${STEP}/action`]: "cancel" }, `${STEP}/action`],
  ["another approval", { [`${STEP}/approval`]: "forged" }, `${STEP}/approval`],
  ["another failure", { [`${STEP}/failure`]: "power_cut" }, `${STEP}/failure`],
  ["a failure that every object has", { [`${STEP}/failure`]: "toString" }, `${STEP}/failure`],
  ["a blank tool name", { [`${STEP}/proposal/name`]: "\t" }, `${STEP}/proposal/name`],
  ["arguments in words", { [ARGUMENTS]: "{}" }, ARGUMENTS],
  ["null arguments", { [ARGUMENTS]: null }, ARGUMENTS],
  ["arguments beyond what is hashed", { [ARGUMENTS]: { all: WIDE } }, `${ARGUMENTS}/all`],
  ["a blank response id", { [`${CONTEXT}/response_id`]: "" }, `${CONTEXT}/response_id`],
  ["a null call id", { [`${CONTEXT}/call_id`]: null }, `${CONTEXT}/call_id`],
  ["a long call id", { [`${CONTEXT}/call_id`]: LONG }, `${CONTEXT}/call_id`],
  ["a blank operation id", { [`${CONTEXT}/operation_id`]: "\n" }, `${CONTEXT}/operation_id`],
  ["a blank key", { [`${CONTEXT}/idempotency_key`]: "" }, `${CONTEXT}/idempotency_key`],
  ["another provider", { [`${CONTEXT}/provider`]: "another" }, CONTEXT],
  ["another provider's family", { [`${CONTEXT}/api_family`]: "messages" }, CONTEXT],
  ["another provider's revision", { [`${CONTEXT}/adapter_revision`]: "anthropic-messages-v1" }, CONTEXT],
  ["a time before zero", { [`${STEP}/now`]: -1 }, `${STEP}/now`],
  ["a time in which no approval fits", { [`${QUERY}/now`]: 253_402_300_740 }, `${QUERY}/now`],
  ["a time in words", { [`${STEP}/now`]: "1000" }, `${STEP}/now`],
  ["a dispatch that refers", { [`${STEP}/status_ref_from`]: "ask" }, `${STEP}/status_ref_from`],
  ["a query to none", { [`${QUERY}/status_ref_from`]: null }, `${QUERY}/status_ref_from`],
  ["a query to itself", { [`${QUERY}/status_ref_from`]: "ask" }, `${QUERY}/status_ref_from`],
  ["a query to a stranger", { [`${QUERY}/status_ref_from`]: "nobody" }, `${QUERY}/status_ref_from`],
  ["a query to a later step", { [STEP]: valueAt(QUERY), [QUERY]: valueAt(STEP) }, `${STEP}/status_ref_from`],
  [
    "a query to another case's step",
    { "/cases/1": caseWith("other", valueAt(QUERY)) },
    "/cases/1/steps/0/status_ref_from",
  ],
  ["a query with an approval", { [`${QUERY}/approval`]: "valid" }, `${QUERY}/approval`],
  ["a query with a failure", { [`${QUERY}/failure`]: "rate_limit" }, `${QUERY}/failure`],
  ["another code", { [`${EXPECTED}/code`]: "MAYBE" }, `${EXPECTED}/code`],
  ["another status", { [`${EXPECTED}/status`]: "done" }, `${EXPECTED}/status`],
  ["another outcome", { [`${EXPECTED}/outcome`]: "failed" }, `${EXPECTED}/outcome`],
  ["another recovery", { [`${EXPECTED}/recovery`]: "retry" }, `${EXPECTED}/recovery`],
  ["another delivery", { [`${EXPECTED}/delivery`]: "replay" }, `${EXPECTED}/delivery`],
  ["data in words", { [`${EXPECTED}/data`]: "none" }, `${EXPECTED}/data`],
  ["data beyond what is hashed", { [`${EXPECTED}/data`]: { all: WIDE } }, `${EXPECTED}/data/all`],
  ["a count below zero", { [`${EXPECTED}/side_effect_count`]: -1 }, `${EXPECTED}/side_effect_count`],
];
