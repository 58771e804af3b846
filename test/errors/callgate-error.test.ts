import { describe, expect, it } from "vitest";
import { CallgateError } from "../../src/errors/callgate-error.ts";

describe("CallgateError", () => {
  it("says what, where and what to do, on one line", () => {
    const error = new CallgateError("FIXTURE_INVALID", { at: "/cases/0", detail: "`id` is missing" });
    expect(error.message).toBe("the scenario file is not valid: `id` is missing (at /cases/0)");
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: "FIXTURE_INVALID",
      message: error.message,
      at: "/cases/0",
      remedy: error.remedy,
    });
  });

  it("has its code in its text, and its message without", () => {
    const error = new CallgateError("GATE_CLOSED");
    expect(`${error}`).toBe("CallgateError [GATE_CLOSED]: the gate is closed");
    expect(error.message).toBe("the gate is closed");
  });

  it.each(["a\nb", "a\u001b[31mb", "a\u2028b", "a\u202eb", "a\ud800b"])(
    "keeps %j from writing a line of its own",
    (name) => {
      const error = new CallgateError("JSON_SYNTAX", { at: `/${name}`, detail: name });
      for (const text of [error.message, error.at, error.detail])
        expect(text).toMatch(/^[ -~]*a\\u\{[0-9a-f]+\}(\[31m)?b[ -~]*$/);
    },
  );

  it("cuts what is too long to read", () => {
    expect(new CallgateError("JSON_SYNTAX", { detail: "x".repeat(100_000) }).message.length).toBeLessThan(500);
  });
});
