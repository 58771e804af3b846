import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createInspectorServer } from "@statelyai/inspect/server";
import type { InspectorMessage } from "../../src/drawing/inspector/messages.ts";

/** What a browser's page would be: it receives what the relay passes on. */
export interface Client {
  readonly texts: string[];
  /** Waits until as many messages have come. */
  receive(count: number): Promise<readonly InspectorMessage[]>;
  close(): void;
}

/** The relay of @statelyai/inspect. */
export interface Relay {
  readonly url: string;
  connect(): Promise<Client>;
  stop(): void;
}

/** Starts the real relay where nothing listens yet. */
export async function openRelay(): Promise<Relay> {
  const port = await freePort();
  const server = createInspectorServer({ port, autoOpen: false });
  const url = `ws://localhost:${port}`;
  return {
    url,
    connect: () => connectTo(`ws://127.0.0.1:${port}`),
    stop: () => {
      server.stop();
    },
  };
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const { server, port } = await listen(() => undefined);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server that accepts connections and does with them whatever is said. */
export async function listen(
  onSocket: (socket: Socket) => void,
): Promise<{ readonly server: Server; readonly port: number; readonly stop: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { server, port, stop };
}

/** Messages in the order in which they came. */
export function parsed(texts: readonly string[]): readonly InspectorMessage[] {
  return texts.map((text) => JSON.parse(text) as InspectorMessage);
}

async function connectTo(url: string): Promise<Client> {
  const texts: string[] = [];
  let wake = (): void => undefined;
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => {
    texts.push(String(data));
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      resolve();
    });
    socket.addEventListener("error", () => {
      reject(new Error("the relay is not there"));
    });
  });
  return {
    texts,
    receive: async (count) => {
      while (texts.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return parsed(texts);
    },
    close: () => {
      socket.close();
    },
  };
}
