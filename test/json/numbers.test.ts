import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalize } from "../../src/json/canonical.ts";
import { sharedFolder } from "./shared-folder.ts";

function doubleOf(bits: bigint): number {
  return new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? Number.NaN;
}

describe("numbers are written as ECMAScript writes them", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [-1, "-1"],
    [1.5, "1.5"],
    [0.1 + 0.2, "0.30000000000000004"],
    [100, "100"],
    [1e20, "100000000000000000000"],
    [1e21, "1e+21"],
    [-123456789012345680000, "-123456789012345680000"],
    [1e-6, "0.000001"],
    [1e-7, "1e-7"],
    [-2.5e-9, "-2.5e-9"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [9007199254740993, "9007199254740992"],
    [Number.MAX_VALUE, "1.7976931348623157e+308"],
    [Number.MIN_VALUE, "5e-324"],
    [doubleOf(0x0010000000000000n), "2.2250738585072014e-308"],
    [doubleOf(0x000fffffffffffffn), "2.225073858507201e-308"],
  ])("%s", (number, text) => {
    expect(canonicalize(number)).toBe(text);
  });
});

/**
 * The endless sequence of doubles by which implementations of RFC 8785 compare themselves: given edge cases, then two
 * thousand neighbours of the smallest normal double, then whatever a chain of SHA-256 digests spells, zeros and
 * non-finite ones left out.
 */
function* doubles(edgeCases: readonly bigint[]): Generator<bigint, never> {
  yield* edgeCases;
  for (let step = 0n; step < 2000n; step += 1n) yield 0x0010000000000000n + step;
  let block = Buffer.alloc(32);
  for (;;) {
    block = createHash("sha256").update(block).digest();
    for (let offset = 0; offset < block.length; offset += 8) {
      const double = block.readDoubleLE(offset);
      if (double !== 0 && Number.isFinite(double)) yield block.readBigUInt64LE(offset);
    }
  }
}

const VECTORS = sharedFolder("corpora/jcs");

describe.skipIf(VECTORS === null)("the published sequence of numbers", () => {
  const description = VECTORS === null ? "" : readFileSync(join(VECTORS, "README.md"), "utf8");
  const listed = /staticU64s = [^[]*\[([^\]]*)\]/.exec(description)?.[1] ?? "";
  const edgeCases = [...listed.matchAll(/0x[0-9a-f]{16}(?=n)/g)].map(([literal]) => BigInt(literal));

  test.each([1000, 10_000, 100_000])("%i lines have the recorded digest", (count) => {
    const recorded = new RegExp(`\\| ([0-9a-f]{64}) \\| ${count} `).exec(description)?.[1];
    const lines = createHash("sha256");
    for (const bits of doubles(edgeCases).take(count))
      lines.update(`${bits.toString(16)},${canonicalize(doubleOf(bits))}\n`);
    expect(lines.digest("hex")).toBe(recorded);
  });
});
