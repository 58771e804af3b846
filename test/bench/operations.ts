import type { ResultPackage } from "../../src/protocol/result.ts";
import { toProviderPayload } from "../../src/providers/payload.ts";
import { floorOf } from "./floor.ts";
import { limitOf } from "./limit.ts";
import { race, type BenchRow } from "./measure.ts";
import { benchWorld, flat, type BenchCall, type BenchWorld } from "./orders-world.ts";

const OPERATIONS = 1_500;
const ROUNDS = 11;

/** Every kind of operation beside its floor, and the two most frequent ones beside their limit. */
export async function benchOperations(): Promise<BenchRow[]> {
  return [
    ...(await race(freshWrite, ROUNDS)),
    ...(await race(replay, ROUNDS)),
    ...(await race(refusal, ROUNDS)),
    ...(await race(statusQuery, ROUNDS)),
    ...(await race(validateAndAdapt, ROUNDS)),
  ];
}

function callsOf(make: (n: number) => BenchCall): BenchCall[] {
  return Array.from({ length: OPERATIONS }, (_, n) => make(n));
}

async function dispatchAll({ gate }: BenchWorld, calls: readonly BenchCall[]): Promise<void> {
  for (const call of calls) await gate.dispatch(call);
}

const each = (calls: readonly BenchCall[], work: (call: BenchCall) => unknown) => (): void => {
  for (const call of calls) work(call);
};

async function freshWrite() {
  const world = benchWorld();
  const calls = callsOf(world.write);
  return {
    operations: OPERATIONS,
    contenders: [
      { name: "fresh", run: () => dispatchAll(world, calls) },
      { name: "fresh: floor", run: each(calls, floorOf(world.tool).freshWrite) },
      { name: "fresh: limit", run: each(calls, limitOf(world.tool).freshWrite) },
    ],
  };
}

async function replay() {
  const world = benchWorld();
  const calls = callsOf(world.write);
  await dispatchAll(world, calls);
  return {
    operations: OPERATIONS,
    contenders: [
      { name: "replay", run: () => dispatchAll(world, calls) },
      { name: "replay: floor", run: each(calls, floorOf(world.tool).replay) },
      { name: "replay: limit", run: each(calls, limitOf(world.tool).replay) },
    ],
  };
}

async function refusal() {
  const world = benchWorld();
  const calls = callsOf(world.foreignRead);
  return {
    operations: OPERATIONS,
    contenders: [
      { name: "refusal", run: () => dispatchAll(world, calls) },
      { name: "refusal: floor", run: each(calls, floorOf(world.tool).refusal) },
    ],
  };
}

async function statusQuery() {
  const world = benchWorld();
  const calls = callsOf(world.write);
  world.world.faults.arm("timeout_after_commit");
  const unknown: { readonly call: BenchCall; readonly unknown: ResultPackage }[] = [];
  for (const call of calls) unknown.push({ call, unknown: await world.gate.dispatch(call) });
  world.world.faults.disarm();
  return {
    operations: OPERATIONS,
    contenders: [
      {
        name: "status query",
        run: async () => {
          for (const [n, asked] of unknown.entries()) await world.ask(asked.call, asked.unknown, n);
        },
      },
      { name: "status query: floor", run: each(calls, floorOf(world.tool).statusQuery) },
    ],
  };
}

async function validateAndAdapt() {
  const world = benchWorld();
  const calls = callsOf(world.write);
  const made: { readonly call: BenchCall; readonly package: ResultPackage }[] = [];
  for (const call of calls) made.push({ call, package: await world.gate.dispatch(call) });
  const floor = floorOf(world.tool);
  return {
    operations: OPERATIONS,
    contenders: [
      {
        name: "validate + adapt",
        run: () => {
          for (const { call, package: given } of made) {
            toProviderPayload(world.gate.registry, { principal: call.principal, call: flat(call), package: given });
          }
        },
      },
      {
        name: "validate + adapt: floor",
        run: () => {
          for (const { call, package: given } of made) {
            floor.validateAndAdapt(call, given.model_result, given.protected_audit);
          }
        },
      },
    ],
  };
}
