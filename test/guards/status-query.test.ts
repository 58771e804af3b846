import { describe, expect, test } from "vitest";
import { statusQueryGuards } from "../../src/guards/status-query.ts";
import type { StatusQueryContext, StatusQueryEvent } from "../../src/protocol/status-query.ts";
import { BOUND, STATUS_QUERY_SAMPLES, STATUS_QUERY_START } from "../engine/sample-events.ts";
import { boundCall, READ, WRITE } from "../packages/sample-calls.ts";
import { SAMPLE_REGISTRY } from "../packages/sample-registry.ts";

const guards = statusQueryGuards({ registry: SAMPLE_REGISTRY });
const ASKING: StatusQueryContext = { ...STATUS_QUERY_START, bound: BOUND };
const { facts } = BOUND;

type Case = readonly [what: string, holds: boolean, context: StatusQueryContext, event: StatusQueryEvent];

const anything: StatusQueryEvent = { type: "owner.absent" };
const found = STATUS_QUERY_SAMPLES["owner.found"];
const owner = (change: Partial<typeof found>): StatusQueryEvent => ({ ...found, ...change });
const ended = (type: "owner.reconciled" | "owner.settled", change: Partial<typeof facts>): StatusQueryEvent => ({
  ...STATUS_QUERY_SAMPLES[type],
  facts: { ...facts, ...change },
});

const CASES: Readonly<Record<keyof typeof guards, readonly Case[]>> = {
  toolUnregistered: [
    ["a tool that is registered", false, ASKING, anything],
    ["one that is not", true, { ...ASKING, proposal: { name: "burn_order", arguments: {} } }, anything],
  ],
  argumentsMisfit: [
    ["arguments that fit", false, ASKING, anything],
    ["arguments that do not", true, { ...ASKING, proposal: { ...ASKING.proposal, arguments: {} } }, anything],
    [
      "of a tool that is not registered",
      true,
      { ...ASKING, proposal: { name: "burn_order", arguments: {} } },
      anything,
    ],
  ],
  ownerMatches: [
    ["the same", true, ASKING, owner({})],
    ["another handler", true, ASKING, owner({ facts: { ...facts, handler_revision: "v9" } })],
    ["another profile", false, ASKING, owner({ facts: { ...facts, provider: "google" } })],
    ["another effect", false, ASKING, owner({ facts: { ...facts, effect_revision: "v9" } })],
    ["another scope", false, ASKING, owner({ scope: "[]" as never })],
    ["another digest expected", false, { ...ASKING, expectedRequestSha256: "0".repeat(64) as never }, owner({})],
    ["a query without a key", false, { ...ASKING, bound: boundCall({ ...WRITE, idempotency_key: null }) }, owner({})],
    ["a query of a read", false, { ...ASKING, bound: boundCall(READ) }, owner({})],
    ["another event", false, ASKING, anything],
    ["another event that has the same members", false, ASKING, { ...owner({}), type: "owner.settled" } as never],
    [
      "no scope on either side",
      false,
      { ...ASKING, bound: { ...BOUND, scope: null } },
      owner({ scope: null as never }),
    ],
    ["nothing bound", false, STATUS_QUERY_START, owner({})],
  ],
  recordMatches: [
    ["reconciled, the same", true, ASKING, ended("owner.reconciled", {})],
    ["settled, the same", true, ASKING, ended("owner.settled", {})],
    ["another handler", true, ASKING, ended("owner.reconciled", { handler_revision: "v9" })],
    ["another producer", false, ASKING, ended("owner.settled", { producer_revision: "v9" })],
    ["another effect", false, ASKING, ended("owner.reconciled", { effect_revision: "v9" })],
    ["another request", false, ASKING, ended("owner.settled", { request_sha256: "0".repeat(64) as never })],
    ["another event", false, ASKING, anything],
    ["nothing bound", false, STATUS_QUERY_START, ended("owner.settled", {})],
  ],
};

describe.each(Object.keys(CASES) as (keyof typeof CASES)[])("%s", (name) => {
  test.each(CASES[name])("%s: %s", (_what, holds, context, event) => {
    expect([guards[name](context, event), guards[name](context, event)]).toEqual([holds, holds]);
  });

  test("answers every event, in every state of what is known", () => {
    for (const event of Object.values(STATUS_QUERY_SAMPLES)) {
      for (const context of [STATUS_QUERY_START, ASKING]) expect(guards[name](context, event)).toBeTypeOf("boolean");
    }
  });
});
