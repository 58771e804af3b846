import { simulatedHost } from "../../src/host/simulated.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { NoteToolChanges } from "./note-tools.ts";
import { calm, statusRefOf, type CallSketch, type World } from "./world.ts";

/** Where a process stops, for ever, in the middle of a call. */
type Stop = (ledger: Ledger) => Ledger;

/** A promise that nobody keeps. */
export const never = (): Promise<never> => new Promise(() => undefined);
const STOPS = {
  "before the intent": (ledger) => ({ ...ledger, recordIntent: never }),
  "after the intent": (ledger) => ({ ...ledger, recordStart: never }),
  "after the start marker": (ledger) => ({
    ...ledger,
    recordStart: async (marker) => {
      await ledger.recordStart(marker);
      return never();
    },
  }),
  "after the effect": (ledger) => ({ ...ledger, recordStep: never }),
  "while it asks for a receipt": (ledger) => ({ ...ledger, recordStep: never }),
} as const satisfies Record<string, Stop>;

/** A process that stops there. Its clock is its own, and stands still. */
export async function stopProcess(
  world: World,
  where: keyof typeof STOPS,
  sketch: CallSketch = {},
  changes?: NoteToolChanges,
): Promise<void> {
  const own = simulatedHost(world.host.now());
  const dying = world.another({ host: own, between: STOPS[where], ...(changes === undefined ? {} : { changes }) });
  void (where === "while it asks for a receipt" ? dying.query(sketch) : dying.dispatch(sketch));
  await calm();
}

/** Where the usual call's owner is. */
export const stateOf = async (world: World): Promise<string | undefined> =>
  (await world.ledger.findOwner(statusRefOf(world.gate, {})))?.state;
