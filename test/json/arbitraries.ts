import fc from "fast-check";
import type { ExecutionContext, Principal, ToolContract } from "../../src/protocol/call.ts";
import type { JsonValue } from "../../src/protocol/json.ts";

/** Any well-formed text, quotes and control characters included. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom('"', "\\", "\n", "é", "😀", "a") }),
);

function valuesWith(numbers: fc.Arbitrary<number>): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom(null, true, false, 0, 1, "", "__proto__"),
      anyText,
      fc.maxSafeInteger(),
      numbers,
      fc.array(tie("value"), { maxLength: 6 }),
      fc
        .uniqueArray(fc.tuple(fc.oneof(anyText, fc.constantFrom("__proto__", "a", "B", "1", "10")), tie("value")), {
          selector: ([name]) => name,
          maxLength: 40,
        })
        .map((members) => Object.fromEntries(members)),
    ),
  })).value;
}

const doubles = fc.double({ noDefaultInfinity: true, noNaN: true });

/** Any value of the hashed domain, well within its limits. */
export const hashedValue = valuesWith(doubles);

/** The same without the whole numbers that JSON writes as an integer, and that a reader cannot tell from a rounded one. */
export const readableValue = valuesWith(
  doubles.filter((double) => !Number.isInteger(double) || Number.isSafeInteger(double) || Math.abs(double) >= 1e21),
);

const textOrNull = fc.option(anyText);

/** Who acts, with any texts. */
export const principals: fc.Arbitrary<Principal> = fc.record({
  tenant_id: anyText,
  subject_id: anyText,
  roles: fc.array(anyText, { maxLength: 2 }),
});

/** A host context, with any texts. */
export const contexts: fc.Arbitrary<ExecutionContext> = fc.record({
  provider: anyText,
  api_family: anyText,
  response_id: anyText,
  call_id: anyText,
  operation_id: anyText,
  idempotency_key: textOrNull,
  adapter_revision: anyText,
});

/** The revisions of a tool, with any texts. */
export const contracts: fc.Arbitrary<ToolContract> = fc.record({
  name: anyText,
  input_schema_revision: anyText,
  output_schema_revision: anyText,
  effect_revision: anyText,
  handler_revision: anyText,
  producer_revision: anyText,
  policy_revision: anyText,
});

/** The ids of evidence kept downstream, each with any text or none. */
export const evidence = fc.record({ request_id: textOrNull, receipt_id: textOrNull });
