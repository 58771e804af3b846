import { CallgateError } from "../errors/callgate-error.ts";
import type { Place } from "../json/place.ts";
import { readJson } from "../json/read.ts";
import { LIMITS } from "../protocol/limits.ts";
import { AUDIT_VERSION, MODEL_RESULT_VERSION } from "../protocol/result.ts";
import { GATE_VERSION, SAMPLE_VERSION, type GateDocument, type SampleDocument } from "./document.ts";
import { gateCaseOf, type OfferedNames } from "./read-gate-case.ts";
import { sampleCaseOf } from "./read-sample-case.ts";
import { Shape } from "./shape.ts";

/** A scenario file that was read and found valid. */
export interface ScenarioFile<Document = SampleDocument> {
  readonly document: Document;
  /** Where the value at a JSON pointer stands in the file. */
  placeOf(pointer: string): Place | null;
}

/**
 * Reads a scenario file about the sample tools: strict JSON, then every rule of the format.
 * Errors: JSON_*; FIXTURE_VERSION; FIXTURE_OF_ANOTHER_GATE; FIXTURE_INVALID at the JSON pointer of the first member that
 * is not right.
 * Source: contract, section 11.
 */
export function readScenarioFile(bytes: Uint8Array): ScenarioFile {
  return fileOf(bytes, SAMPLE_VERSION, sampleCaseOf);
}

/**
 * Reads a scenario file about a gate's own tools, by the same rules; worlds, faults, approvals and counted tools are
 * those that the gate offers. It may name a schema for editors.
 * Errors: JSON_*; FIXTURE_VERSION; FIXTURE_OF_ANOTHER_GATE; FIXTURE_INVALID.
 */
export function readGateScenarioFile(bytes: Uint8Array, offered: OfferedNames): ScenarioFile<GateDocument> {
  return fileOf(bytes, GATE_VERSION, (shape, ids) => gateCaseOf(shape, ids, offered), ["$schema"]);
}

interface AnyDocument<Version, Case> {
  readonly $schema?: string;
  readonly schema_version: Version;
  readonly contract: SampleDocument["contract"];
  readonly cases: readonly Case[];
}

function fileOf<Version extends string, Case>(
  bytes: Uint8Array,
  version: Version,
  caseOf: (shape: Shape, ids: Set<string>) => Case,
  optional: readonly "$schema"[] = [],
): ScenarioFile<AnyDocument<Version, Case>> {
  const json = readJson(bytes, { maxBytes: LIMITS.fixtureBytes });
  const root = Shape.of(json);
  refuseOtherVersions(root, version);
  const { $schema, schema_version, contract, cases } = root.members(["schema_version", "contract", "cases"], optional);
  const { model_result, protected_audit } = contract.members(["model_result", "protected_audit"]);
  const ids = new Set<string>();
  const document = {
    ...($schema === undefined ? {} : { $schema: $schema.identifier() }),
    schema_version: schema_version.oneOf([version]),
    contract: {
      model_result: model_result.oneOf([MODEL_RESULT_VERSION]),
      protected_audit: protected_audit.oneOf([AUDIT_VERSION]),
    },
    cases: cases.items(1, LIMITS.casesOrSteps).map((item) => caseOf(item, ids)),
  };
  return { document, placeOf: (pointer) => json.placeOf(pointer) };
}

function refuseOtherVersions(root: Shape, expected: string): void {
  const version = root.object()["schema_version"];
  if (typeof version !== "string" || version === expected) return;
  const isKnown = version === SAMPLE_VERSION || version === GATE_VERSION;
  throw new CallgateError(isKnown ? "FIXTURE_OF_ANOTHER_GATE" : "FIXTURE_VERSION", { at: "/schema_version" });
}
