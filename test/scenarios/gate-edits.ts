import { valueIn, type Edits } from "./edited.ts";
import { gateDocument, gateStep } from "./gate-document.ts";

const CASE = "/cases/0";
const STEP = `${CASE}/steps/0`;
const EXPECTED = `${STEP}/expected`;
const QUERY = { action: "query_status", approval: "none", status_ref_from: "first" };

/** What may stand in the document of a gate instead of what stands there. Shape: what it is, edits. */
export const ACCEPTED_GATE_EDITS: readonly (readonly [string, Edits])[] = [
  ["nothing else", {}],
  ["a schema for editors", { "/$schema": "../schemas/callgate-scenarios-v1.json" }],
  ["time that passes", { [`${STEP}/advance_ms`]: 1 }],
  ["faults", { [`${STEP}/faults`]: ["down", "silent"] }],
  ["an approval of the gate's own", { [`${STEP}/approval`]: "by_a_stranger" }],
  ["effects in all", { [`${EXPECTED}/side_effects`]: 0 }],
  ["effects of every tool", { [`${EXPECTED}/side_effects`]: { tally: 0, count: 1 } }],
  ["effects of no tool", { [`${EXPECTED}/side_effects`]: {} }],
  ["a query that meets a fault", { [`${CASE}/steps/1`]: gateStep("ask", { ...QUERY, faults: ["down"] }) }],
];

/** What may not. Shape: what it is, edits, where the reader says that it is wrong. */
export const REFUSED_GATE_EDITS: readonly (readonly [string, Edits, string])[] = [
  ["a schema without a name", { "/$schema": "" }, "/$schema"],
  ["a schema in place", { "/$schema": {} }, "/$schema"],
  ["a schema of a case", { [`${CASE}/$schema`]: "case.json" }, `${CASE}/$schema`],
  ["a world that is not offered", { [`${CASE}/world/name`]: "elsewhere" }, `${CASE}/world/name`],
  ["a world that every object has", { [`${CASE}/world/name`]: "toString" }, `${CASE}/world/name`],
  ["parameters in a list", { [`${CASE}/world/parameters`]: [] }, `${CASE}/world/parameters`],
  ["a fault that is not offered", { [`${STEP}/faults`]: ["down", "rate_limit"] }, `${STEP}/faults/1`],
  ["a fault twice", { [`${STEP}/faults`]: ["down", "down"] }, `${STEP}/faults/1`],
  ["17 faults", { [`${STEP}/faults`]: Array.from({ length: 17 }, () => "down") }, `${STEP}/faults`],
  ["a fault alone", { [`${STEP}/faults`]: "down" }, `${STEP}/faults`],
  ["an approval that is not offered", { [`${STEP}/approval`]: "forged" }, `${STEP}/approval`],
  ["no time at all", { [`${STEP}/advance_ms`]: 0 }, `${STEP}/advance_ms`],
  ["time that goes back", { [`${STEP}/advance_ms`]: -1 }, `${STEP}/advance_ms`],
  ["half a millisecond", { [`${STEP}/advance_ms`]: 0.5 }, `${STEP}/advance_ms`],
  ["effects below zero", { [`${EXPECTED}/side_effects`]: -1 }, `${EXPECTED}/side_effects`],
  ["effects of no tool of the gate", { [`${EXPECTED}/side_effects`]: { sum: 1 } }, `${EXPECTED}/side_effects/sum`],
  ["half an effect", { [`${EXPECTED}/side_effects`]: { count: 0.5 } }, `${EXPECTED}/side_effects/count`],
  ["a count of the other format", { [`${EXPECTED}/side_effect_count`]: 1 }, `${EXPECTED}/side_effect_count`],
  ["a failure of the other format", { [`${STEP}/failure`]: "none" }, `${STEP}/failure`],
  ["a time in which no approval fits", { [`${STEP}/now`]: 253_402_300_740 }, `${STEP}/now`],
  ["a dispatch that refers", { [`${STEP}/status_ref_from`]: "first" }, `${STEP}/status_ref_from`],
  [
    "a query with an approval",
    { [`${CASE}/steps/1`]: gateStep("ask", { ...QUERY, approval: "valid" }) },
    `${CASE}/steps/1/approval`,
  ],
  [
    "a query of itself",
    { [`${CASE}/steps/1`]: gateStep("ask", { ...QUERY, status_ref_from: "ask" }) },
    `${CASE}/steps/1/status_ref_from`,
  ],
  ["two cases of one id", { "/cases/1": valueIn(gateDocument(), CASE) }, "/cases/1/id"],
  ["two steps of one id", { [`${CASE}/steps/1`]: gateStep("first") }, `${CASE}/steps/1/step_id`],
  ["no cases", { "/cases": [] }, "/cases"],
  ["no steps", { [`${CASE}/steps`]: [] }, `${CASE}/steps`],
];
