import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createInspector, type Inspector } from "../../src/drawing/inspector/inspector.ts";
import { pathsShown, pathsTold, play, type Play } from "./lifecycles.ts";
import { openRelay, parsed, type Client, type Relay } from "./relay.ts";

const folder = mkdtempSync(join(tmpdir(), "callgate-inspect-"));
const file = join(folder, "messages.jsonl");

describe("before the real relay", () => {
  let relay: Relay;
  let page: Client;
  let inspector: Inspector;
  let played: Play;
  const warnings: unknown[] = [];

  beforeEach(async () => {
    relay = await openRelay();
    page = await relay.connect();
    inspector = createInspector({ url: relay.url, file, onWarning: (warning) => warnings.push(warning) });
    played = await play(inspector.observer);
    await inspector.close();
    await page.receive(linesOf(file).length);
  });

  afterEach(() => {
    page.close();
    relay.stop();
    rmSync(file, { force: true });
  });

  test("a page is shown every lifecycle", () => {
    const shown = pathsShown(parsed(page.texts));
    expect(shown).toEqual(pathsTold(played.notices));
    expect(shown).toContain("approval requested granted reserved consumed");
    expect(shown).toContain("approval requested granted reserved consumed granted");
    expect(shown).toContainEqual(
      expect.stringMatching(/^operation proposed .* executing unknown querying receipt_reconciled$/),
    );
    expect(shown).toContainEqual(expect.stringMatching(/^status_query proposed .* asking answered$/));
    expect(warnings).toEqual([]);
  });

  test("nothing of what is decided about is in any byte", () => {
    expect(played.secrets.length).toBeGreaterThan(30);
    const sent = page.texts.join("\n") + readFileSync(file, "utf8");
    expect(played.secrets.filter((secret) => sent.includes(secret))).toEqual([]);
    // It would be found: names of registered tools are shown.
    expect(sent).toContain("operation write_note");
  });

  test("the file has the same messages, one a line", () => {
    expect(linesOf(file)).toEqual(page.texts);
  });

  test("actors are children of the gate, and events say who fed them", () => {
    const messages = parsed(page.texts);
    const actors = messages.filter((message) => message.type === "@xstate.actor");
    const [gate, ...runs] = actors;
    expect(gate).toMatchObject({ name: "gate", rootId: gate?.sessionId });
    expect(gate).not.toHaveProperty("parentId");
    expect(new Set(actors.map(({ sessionId }) => sessionId)).size).toBe(actors.length);
    for (const run of runs) expect(run).toMatchObject({ rootId: gate?.sessionId, parentId: gate?.sessionId });

    const named = (name: string) => actors.find((actor) => actor.name === name)?.sessionId;
    const sourcesOf = (type: string) =>
      messages.flatMap((message) =>
        message.type === "@xstate.event" && message.event.type === type ? [message.sourceId] : [],
      );
    expect(sourcesOf("status.queried")).toEqual([named("status_query write_note")]);
    expect(new Set(sourcesOf("host.bound"))).toEqual(new Set([gate?.sessionId]));
    const operations = new Set(
      actors.filter(({ name }) => name === "operation write_note").map((actor) => actor.sessionId),
    );
    for (const source of sourcesOf("grant.reserved")) expect(operations).toContain(source);
    expect(named("operation")).toBeDefined();
  });

  test("a page that comes later is shown what the relay kept", async () => {
    const late = await relay.connect();
    await late.receive(Math.min(200, page.texts.length));
    expect(late.texts).toEqual(page.texts.slice(-200));
    late.close();
  });
});

test("two gates are two roots, under their own names", async () => {
  const inspector = createInspector({ file });
  await play(inspector.observerOf("one"));
  await play(inspector.observerOf("two"));
  await inspector.close();
  const roots = parsed(linesOf(file)).filter((message) => message.type === "@xstate.actor" && !("parentId" in message));
  expect(roots).toMatchObject([{ name: "one" }, { name: "two" }]);
  const [one, two] = roots.map(({ sessionId }) => sessionId);
  const pathsOf = (root: string | undefined) =>
    pathsShown(parsed(linesOf(file)).filter(({ rootId }) => rootId === root));
  expect(pathsOf(one)).toEqual(pathsOf(two));
  expect(pathsOf(one).length).toBeGreaterThan(8);
  rmSync(folder, { recursive: true });
});

function linesOf(path: string): readonly string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}
