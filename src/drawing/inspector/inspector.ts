import type { Observer } from "../../dispatcher/observer.ts";
import { CallgateError } from "../../errors/callgate-error.ts";
import { openLineFile } from "../../host/line-file.ts";
import type { LineSink, LineSinkOptions, Loss } from "../../host/line-sink.ts";
import { openRelaySocket } from "../../host/relay-socket.ts";
import { systemHost } from "../../host/system.ts";
import { wallClockMs } from "../../host/wall-clock.ts";
import type { InspectorMessage } from "./messages.ts";
import { DEFAULT_RELAY_URL, readRelayUrl } from "./relay-url.ts";
import { WatchedGate } from "./watched-gate.ts";

/** Where an inspector sends to. */
export interface InspectorOptions {
  /** A relay on this machine. Default: `ws://localhost:8080`, or none where a file is named. */
  readonly url?: string | undefined;
  /** A file that gets the same messages, one a line; what was in it is gone. */
  readonly file?: string | undefined;
  /** Lets the URL name another machine. The relay there asks nobody who they are, and repeats what it got to anyone. */
  readonly unsafeRemoteRelay?: boolean | undefined;
  /** Is told, at most once, that messages did not get there. Nothing else comes of it. */
  readonly onWarning?: ((warning: CallgateError) => void) | undefined;
}

/** Shows the runs of gates in the Stately Inspector. It changes nothing about them, and does not hold the process open. */
export interface Inspector {
  /** For `createGate`. */
  readonly observer: Observer;
  /** The same for one gate of several, which is shown under a name of its own. */
  observerOf(name: string): Observer;
  /** Sends what is left, for at most two seconds, and lets go. Never throws. */
  close(): Promise<void>;
}

/** Units: UTF-16 units; of bytes it is as many, the messages being ASCII but for names. */
const LONGEST_QUEUE = 16 * 1_048_576;
const CLOSE_WITHIN_MS = 2_000;

const LOSSES = {
  absent: "no relay answers there",
  gone: "the connection or the file is gone",
  full: "they are taken too slowly",
  slow: "they were not taken in time",
} as const satisfies Record<Loss, string>;

/**
 * Starts to send the lifecycles of operations, status queries and approvals to a relay of the Stately Inspector, to a
 * file, or to both. Names only are sent: no argument, no output, no record and no identity.
 * Errors: INSPECT_URL_REFUSED; FILE_UNWRITABLE. That no relay is there is a warning.
 */
export function createInspector(options: InspectorOptions = {}): Inspector {
  const { file, url = file === undefined ? DEFAULT_RELAY_URL : undefined } = options;
  const sinkOptions = { longestQueue: LONGEST_QUEUE, onLoss: warnOnce(options.onWarning) };
  const relay = url === undefined ? null : readRelayUrl(url, options.unsafeRemoteRelay === true);
  const sinks: LineSink[] = [];
  if (file !== undefined) sinks.push(openLineFile(file, sinkOptions));
  if (relay !== null) sinks.push(openRelaySocket(relay, sinkOptions));

  // Others may send to the same relay, and actors are told apart by their session alone.
  const prefix = systemHost().randomId();
  let sessions = 0;
  const newSessionId = (): string => {
    sessions += 1;
    return `${prefix}:${sessions}`;
  };
  const send = (message: InspectorMessage): void => {
    const text = JSON.stringify(message);
    for (const sink of sinks) sink.send(text);
  };
  const observerOf = (name: string): Observer => {
    const gate = new WatchedGate({ name, newSessionId, nowMs: wallClockMs, send });
    return (notice) => {
      gate.show(notice);
    };
  };

  return {
    observer: observerOf("gate"),
    observerOf,
    close: async () => {
      await Promise.all(sinks.map((sink) => sink.end(CLOSE_WITHIN_MS)));
    },
  };
}

function warnOnce(onWarning: InspectorOptions["onWarning"]): LineSinkOptions["onLoss"] {
  let isWarned = false;
  return (loss) => {
    if (isWarned) return;
    isWarned = true;
    try {
      const told: unknown = onWarning?.(new CallgateError("INSPECT_INCOMPLETE", { detail: LOSSES[loss] }));
      if (told instanceof Promise) told.catch(() => undefined);
    } catch {
      // Watching changes nothing.
    }
  };
}
