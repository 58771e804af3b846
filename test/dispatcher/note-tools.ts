import type { Principal } from "../../src/protocol/call.ts";
import type { ExecutionBinding } from "../../src/protocol/facts.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Tool } from "../../src/tools/tool.ts";
import type { AccessRequest, ExecuteAnswer, ExecuteRequest, ReceiptRequest } from "../../src/tools/definition.ts";

/** Arguments of both tools. */
export interface NoteArguments {
  readonly note: string;
}

/** What a run of the tool that writes left behind downstream. */
export interface KeptNote {
  readonly answer: ExecuteAnswer<{ readonly note_id: string; readonly note: string }>;
  readonly binding: ExecutionBinding;
}

/** How the tools behave; each part may be replaced at any time. Shape: what they say need not be what types promise. */
export interface Behaviour {
  authorize: (request: AccessRequest<NoteArguments>) => unknown;
  precondition: (request: AccessRequest<NoteArguments>) => unknown;
  /** Before the effect: may throw that nothing has begun, or take its time. */
  begin: (request: ExecuteRequest<NoteArguments>) => unknown;
  /** After the effect: what is said of it. */
  answer: (good: KeptNote["answer"], request: ExecuteRequest<NoteArguments>) => unknown;
  read: (good: KeptNote["answer"], request: ExecuteRequest<NoteArguments>) => unknown;
  receipt: (kept: KeptNote | null, request: ReceiptRequest) => unknown;
}

/** The service behind the tools, and a record of what it was asked. */
export interface NoteService {
  readonly behaviour: Behaviour;
  /** What was kept, by status_ref; its size is the number of effects if none was repeated. */
  readonly kept: Map<string, KeptNote>;
  /** How often the effect took place. */
  readonly effects: number;
  /** What was asked of the tools, in order. */
  readonly asked: string[];
}

/** Deadline of both tools. Units: milliseconds. */
export const DEADLINE_MS = 800;

const NOTE = { type: "string", minLength: 1, maxLength: 64 } as const;
const INPUT = { type: "object", properties: { note: NOTE }, required: ["note"], additionalProperties: false } as const;
const OUTPUT = {
  type: "object",
  properties: { note_id: { type: "string" }, note: { type: "string" } },
  required: ["note_id", "note"],
  additionalProperties: false,
} as const;

/** A service that behaves. */
export function noteService(): NoteService & { commit(): void; drawId(): string } {
  let effects = 0;
  let ids = 0;
  return {
    behaviour: {
      authorize: ({ principal }) => mayUse(principal),
      precondition: () => true,
      begin: () => undefined,
      answer: (good) => good,
      read: (good) => good,
      receipt: (kept) => (kept === null ? null : { ...kept.answer, binding: kept.binding }),
    },
    kept: new Map(),
    get effects() {
      return effects;
    },
    asked: [],
    commit: () => {
      effects += 1;
    },
    drawId: () => {
      ids += 1;
      return ids.toString(16).padStart(32, "0");
    },
  };
}

/** Who the tools let in: the one tenant. */
function mayUse(principal: Principal): boolean {
  return principal.tenant_id === "tenant-a";
}

/** What differs between two versions of the tools. */
export interface NoteToolChanges {
  readonly handler?: string;
  readonly effect?: string;
  readonly deadlineMs?: number;
}

/** A tool that writes a note and one that reads it. */
export function noteTools(service: ReturnType<typeof noteService>, changes: NoteToolChanges = {}): Tool[] {
  const { behaviour, kept, asked } = service;
  const revisions = (stem: string) => ({
    inputSchema: `${stem}-input-v1`,
    outputSchema: `${stem}-output-v1`,
    effect: changes.effect ?? `${stem}-effect-v1`,
    handler: changes.handler ?? `${stem}-handler-v1`,
    producer: `${stem}-producer-v1`,
    policy: `${stem}-policy-v1`,
  });
  const answerOf = (stem: string, number: number, note: string): KeptNote["answer"] => ({
    output: { note_id: `NOTE-${number}`, note },
    producerRevision: `${stem}-producer-v1`,
    resourceRevision: null,
    observedAt: "2026-01-02T03:04:05Z",
    requestId: `${stem}-request-${number}`,
    receiptId: stem === "write" ? `receipt-${number}` : null,
  });
  const common = { inputSchema: INPUT, outputSchema: OUTPUT, outputEquals: { note: "note" } };
  const deadlineMs = changes.deadlineMs ?? DEADLINE_MS;
  const ask = <Said>(what: string, say: () => Said): Said => {
    asked.push(what);
    return say();
  };
  return [
    defineTool({
      ...common,
      name: "write_note",
      description: "Writes a note.",
      risk: "write",
      revisions: revisions("write"),
      sourceLabel: "notes",
      deadlineMs,
      authorize: (request) => ask("authorize", () => behaviour.authorize(request) as boolean),
      precondition: (request) => ask("precondition", () => behaviour.precondition(request) as boolean),
      execute: async (request) => {
        await ask("execute", () => behaviour.begin(request));
        service.commit();
        const answer = answerOf("write", service.effects, request.arguments.note);
        kept.set(String(request.statusRef), { answer, binding: request.binding });
        return behaviour.answer(answer, request) as typeof answer;
      },
      queryReceipt: async (request) =>
        ask("receipt", () => behaviour.receipt(kept.get(request.statusRef) ?? null, request) as Promise<null>),
    }),
    defineTool({
      ...common,
      name: "read_note",
      description: "Reads a note.",
      risk: "read",
      revisions: revisions("read"),
      sourceLabel: "notes",
      deadlineMs,
      authorize: (request) => ask("authorize", () => behaviour.authorize(request) as boolean),
      execute: async (request) => {
        const good = answerOf("read", 1, request.arguments.note);
        return ask("execute", () => behaviour.read(good, request) as typeof good);
      },
    }),
  ];
}
