/**
 * Every number that bounds an input. Source: contract, sections 2 and 11; the limits of schemas and of the
 * auditor's files are this product's own.
 */
export const LIMITS = {
  /** UTF-8 bytes of a scenario file. */
  fixtureBytes: 65_536,
  /** UTF-8 bytes of a file given to `digest` or `validate`. */
  auditFileBytes: 16 * 1024 * 1024,
  /** UTF-8 bytes of the JSON text that a provider gives as the arguments of a call. */
  argumentsTextBytes: 1_048_576,
  /** Nesting of containers in a JSON text that is read. */
  containerDepth: 32,
  /** Levels below the hashed root at which a value or member name may stand. */
  hashedDepth: 32,
  /** Code points of a string in hashed JSON, member names included. */
  hashedStringCodePoints: 65_536,
  /** Members of an array or object in hashed JSON. */
  hashedMembers: 1_024,
  /** Magnitude of a number written as an integer. */
  integerMagnitude: 9_007_199_254_740_991,
  /** UTF-8 bytes of the canonical form of a schema; how deep it may nest is bounded by `hashedDepth`. */
  schemaBytes: 65_536,
  /** Subschemas by which one and the same value is judged, references followed. */
  schemasPerValue: 1_024,
  /** Code points of an identifier. */
  identifierCodePoints: 255,
  /** Roles of a principal. */
  roles: 32,
  /** Cases of a fixture, and steps of a case. */
  casesOrSteps: 256,
  /** Latest second since the Unix epoch: 9999-12-31T23:59:59Z. */
  latestSecond: 253_402_300_799,
  /** Latest second at which an approval can still be made (its life of 60 s must fit). */
  latestApprovalSecond: 253_402_300_739,
  /** Seconds that an approval lives in the sample world. */
  approvalLifeSeconds: 60,
} as const;

/**
 * White space as this contract means it, as the inside of a regular-expression class (not what `trim()` takes).
 * Source: contract, section 2.
 */
export const WHITE_SPACE_CLASS =
  "\\u0009-\\u000d\\u001c-\\u001f\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
