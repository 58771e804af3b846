import type { StatusQueryGuard } from "../../machines/status-query.ts";
import { agreesUnknown } from "../policy/facts.ts";
import type { RegistryView } from "../protocol/registry-view.ts";
import type { StatusQueryContext, StatusQueryEvent } from "../protocol/status-query.ts";

type Guard = (context: StatusQueryContext, event: StatusQueryEvent) => boolean;

/** The answers to every question of the status query machine. Total and pure. */
export function statusQueryGuards({ registry }: { readonly registry: RegistryView }): Record<StatusQueryGuard, Guard> {
  return {
    toolUnregistered: ({ proposal }) => registry.find(proposal.name) === null,
    argumentsMisfit: ({ proposal }) => registry.find(proposal.name)?.inputFits(proposal.arguments) !== true,
    ownerMatches: ({ bound, expectedRequestSha256 }, event) =>
      event.type === "owner.found" &&
      bound !== null &&
      bound.scope !== null &&
      bound.scope === event.scope &&
      event.facts.request_sha256 === expectedRequestSha256 &&
      agreesUnknown(bound.facts, event.facts),
    recordMatches: ({ bound }, event) =>
      (event.type === "owner.reconciled" || event.type === "owner.settled") &&
      bound !== null &&
      agreesUnknown(bound.facts, event.facts),
  };
}
