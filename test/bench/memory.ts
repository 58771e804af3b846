import type { BenchRow } from "./measure.ts";
import { benchWorld, type BenchWorld } from "./orders-world.ts";

const SMALL = 1_000;
const SAMPLE = 2_000;
/** What the gate may keep of a settled operation, its journal included. Units: bytes. */
const KEPT_LIMIT = 3_000;

/**
 * What is kept of a settled operation, and whether one costs the same after a million. What the sample tool itself keeps of
 * its effects is measured beside it and taken off.
 * Errors: throws when the collector cannot be called (`--expose-gc`).
 */
export async function benchMemory(operations: number): Promise<BenchRow[]> {
  const world = benchWorld();
  await settle(world, 0, SMALL);
  const emptyBytes = heapBytes();
  const earlyMs = await settle(world, SMALL, SAMPLE);
  await settle(world, SMALL + SAMPLE, operations - SMALL - 2 * SAMPLE);
  const lateMs = await settle(world, operations - SAMPLE, SAMPLE);
  const keptBytes = (heapBytes() - emptyBytes) / (operations - SMALL) - (await toolBytes());
  // Both are held until here: what is measured must not have been collected.
  if (world.world.sideEffectCount !== operations) throw new Error("not every operation was carried out");
  return [
    {
      name: "memory kept per settled operation (bytes; ratio to 3 kB)",
      rate: keptBytes,
      ratio: keptBytes / KEPT_LIMIT,
    },
    {
      name: `fresh after ${operations.toLocaleString("en")} (ratio to after ${SMALL.toLocaleString("en")})`,
      rate: (1000 * SAMPLE) / lateMs,
      ratio: lateMs / earlyMs,
    },
  ];
}

async function settle({ gate, write }: BenchWorld, from: number, count: number): Promise<number> {
  let elapsedMs = 0;
  for (let n = from; n < from + count; n += 1) {
    const call = write(n);
    const startedMs = performance.now();
    await gate.dispatch(call);
    elapsedMs += performance.now() - startedMs;
  }
  return elapsedMs;
}

/** What the sample tool keeps of one effect: its receipt, with the binding that it was handed. */
async function toolBytes(): Promise<number> {
  const { tool, world, write } = benchWorld();
  const count = 20_000;
  const before = heapBytes();
  for (let n = 0; n < count; n += 1) {
    const { principal, proposal, executionContext } = write(n);
    const binding = { request_sha256: `${n}`.padStart(64, "0"), status_ref: `status_${`${n}`.padStart(32, "0")}` };
    const request = { arguments: proposal.arguments, principal, idempotencyKey: executionContext.idempotency_key };
    await tool.execute({ ...request, binding } as never);
  }
  const bytes = (heapBytes() - before) / count;
  return world.sideEffectCount === count ? bytes : 0;
}

function heapBytes(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("run with --expose-gc");
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
