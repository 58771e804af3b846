import type { Observer, StepNotice } from "../../src/dispatcher/observer.ts";
import type { InspectorMessage } from "../../src/drawing/inspector/messages.ts";
import { NotStarted } from "../../src/tools/not-started.ts";
import type { ResultPackage } from "../../src/protocol/result.ts";
import { approvalOf, loseAnswer, openWorld, START_SECONDS, type CallSketch } from "../dispatcher/world.ts";

/** Who acts, by names that are found again wherever they get to. */
const ADA = { tenant_id: "tenant-a", subject_id: "subject-lovelace", roles: ["role-countess"] };
const SECRETS = ["tenant-a", "subject-lovelace", "role-countess", "note-of-hand", "key-under-mat", "invented_by_model"];

/** A play with every kind of run in it, and all that must not be seen of it. */
export interface Play {
  readonly notices: readonly StepNotice[];
  readonly packages: readonly ResultPackage[];
  /** Texts of arguments, outputs, identities, approvals, records and digests. */
  readonly secrets: readonly string[];
}

/** Plays it before an observer. */
export async function play(observer: Observer): Promise<Play> {
  const notices: StepNotice[] = [];
  const world = openWorld({
    observer: (notice) => {
      notices.push(notice);
      observer(notice);
    },
  });
  const sketch = (id: string, more: CallSketch = {}): CallSketch => ({
    id,
    by: ADA,
    input: { note: "note-of-hand" },
    key: "key-under-mat",
    ...more,
  });
  const first = sketch("call-first");
  const packages = [
    await world.dispatch({ ...first, approvals: [] }),
    await loseAnswer(world, first),
    await world.query({ ...sketch("call-query"), id: "call-query" }),
    await world.dispatch(sketch("call-again")),
    await world.dispatch(sketch("call-read", { tool: "read_note" })),
    await world.dispatch(sketch("call-unknown", { tool: "invented_by_model" })),
  ];
  world.service.behaviour.begin = () => {
    throw new NotStarted("RATE_LIMIT");
  };
  packages.push(await world.dispatch(sketch("call-released", { key: "key-under-mat-2" })));
  const approval = approvalOf(world.gate, first, START_SECONDS);
  const { tool_name: _tool, ...bound } = approval;
  const keys = notices.flatMap(({ machine, run }) => (machine === "approval" ? [run] : []));
  const secrets = [...SECRETS, ...textsIn(bound), ...keys];
  for (const { model_result: result, protected_audit: audit } of packages) {
    const { tool_contract: _contract, ...rest } = audit;
    secrets.push(...textsIn(result.data), ...textsIn({ ...rest, schema_version: "", visibility: "" }));
  }
  return { notices, packages, secrets: [...new Set(secrets)].filter((text) => text.length > 0) };
}

/** The states of every run, as its notices tell them. */
export function pathsTold(notices: readonly StepNotice[]): readonly string[] {
  const paths = new Map<string, string[]>();
  for (const { machine, run, state, next, event } of notices) {
    const path = paths.get(run) ?? [machine, state];
    if (event !== null) path.push(next);
    paths.set(run, path);
  }
  return textOf(paths.values());
}

/** The states of every run, as a page that receives the messages would show them. */
export function pathsShown(messages: readonly InspectorMessage[]): readonly string[] {
  const paths = new Map<string, string[]>();
  for (const message of messages) {
    const { sessionId } = message;
    if (message.type === "@xstate.actor" && message.parentId !== undefined) {
      const { id } = JSON.parse(message.definition) as { id: string };
      paths.set(sessionId, [id]);
    }
    if (message.type === "@xstate.snapshot") paths.get(sessionId)?.push(String(message.snapshot.value));
  }
  return textOf(paths.values());
}

function textOf(paths: Iterable<readonly string[]>): readonly string[] {
  return [...paths].map((path) => path.join(" ")).toSorted();
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
