import { readFileSync } from "node:fs";
import type { Call, Principal } from "../../src/protocol/call.ts";

/** One package that another implementation made, and perhaps tampered with. */
export interface TamperedPackage {
  readonly how: string;
  readonly principal: Principal;
  readonly call: Call;
  readonly package: unknown;
  readonly valid: boolean;
  readonly payload: unknown;
}

/** One set of packages that another implementation made, and perhaps tampered with. */
export interface TamperedSet {
  readonly how: string;
  readonly principal: Principal;
  readonly calls: readonly Call[];
  readonly packages: readonly unknown[];
  readonly valid: boolean;
}

/** The published packages and sets. */
export const TAMPERED: { readonly packages: readonly TamperedPackage[]; readonly sets: readonly TamperedSet[] } =
  JSON.parse(readFileSync(new URL("../interop/tampered.json", import.meta.url), "utf8"));
