import type { ExecutionBinding } from "../protocol/facts.ts";
import type { Sha256 } from "../protocol/ids.ts";
import { canonicalize } from "./canonical.ts";
import { sha256 } from "./digests.ts";

/** The digest of a binding, for services that can keep only a short text beside an effect. */
export function bindingSha256(binding: ExecutionBinding): Sha256 {
  return sha256(canonicalize(binding));
}
