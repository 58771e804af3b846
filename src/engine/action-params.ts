import { isRefusalCode, type RefusalCode } from "../errors/refusals.ts";
import type { Delivery } from "../protocol/result.ts";

/** What the machine tells an action beside its name. Shape: exactly the member that its action needs, or none. */
export interface ActionParams {
  readonly code?: RefusalCode;
  readonly delivery?: Delivery;
}

/** The params of an action that is told nothing. */
const NO_PARAMS: ActionParams = Object.freeze({});

/** The actions, of any machine, that must be told something. */
const NEEDS: ReadonlyMap<string, keyof ActionParams> = new Map([
  ["refuse", "code"],
  ["declineQuery", "code"],
  ["succeed", "delivery"],
]);

const DELIVERIES = { fresh: true, local_replay: true, receipt_reconciled: true } as const satisfies Record<
  Delivery,
  true
>;

/**
 * The params of one action, or null if they are not exactly what that action needs.
 * @param params own data members by name; empty when the machine gives none
 */
export function readParams(action: string, params: ReadonlyMap<string, unknown>): ActionParams | null {
  const needed = NEEDS.get(action);
  if (params.size !== (needed === undefined ? 0 : 1)) return null;
  if (needed === undefined) return NO_PARAMS;
  const value = params.get(needed);
  if (needed === "code") return isRefusalCode(value) ? { code: value } : null;
  return isDelivery(value) ? { delivery: value } : null;
}

/** The params that XState hands to an action. Errors: throws on others than it needs, which compiling rules out. */
export function paramsGiven(action: string, params: unknown): ActionParams {
  const read = readParams(action, new Map<string, unknown>(Object.entries(params ?? {})));
  if (read === null) throw new TypeError(`${action} was not told what it needs`);
  return read;
}

/** The code that an action was told. Errors: throws if there is none, which compiling a machine rules out. */
export function codeOf(params: ActionParams): RefusalCode {
  if (params.code === undefined) throw new TypeError("the action was told no code");
  return params.code;
}

/** The delivery that an action was told. Errors: throws if there is none, which compiling a machine rules out. */
export function deliveryOf(params: ActionParams): Delivery {
  if (params.delivery === undefined) throw new TypeError("the action was told no delivery");
  return params.delivery;
}

function isDelivery(value: unknown): value is Delivery {
  return typeof value === "string" && Object.hasOwn(DELIVERIES, value);
}
