import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { createInspector } from "../../src/drawing/inspector/inspector.ts";
import type { CallgateError } from "../../src/errors/callgate-error.ts";
import { openWorld, told } from "../dispatcher/world.ts";
import { play } from "./lifecycles.ts";
import { freePort, listen, openRelay } from "./relay.ts";

/** Wide enough for a busy machine; an inspector that waits for ever is not done by then. Units: milliseconds. */
const SOON_MS = 5_000;

const handshake = (request: string): string => {
  const key = /sec-websocket-key: (.*)\r\n/i.exec(request)?.[1] ?? "";
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
};

/** What may stand where a relay is expected, and what is said of it. */
const OTHERS: Readonly<Record<string, { readonly onSocket: (socket: Socket) => void; readonly says: string }>> = {
  "hangs up at once": { onSocket: (socket) => socket.destroy(), says: "no relay answers there" },
  "speaks another protocol": {
    onSocket: (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
    says: "no relay answers there",
  },
  "is a web server": {
    onSocket: (socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")),
    says: "no relay answers there",
  },
  "accepts another's key": {
    onSocket: (socket) => socket.once("data", () => socket.write(handshake(""))),
    says: "no relay answers there",
  },
  "never answers": { onSocket: (socket) => socket.pause(), says: "they were not taken in time" },
  "accepts and never reads": {
    onSocket: (socket) =>
      socket.once("data", (bytes: Buffer) => {
        socket.write(handshake(bytes.toString()));
        socket.pause();
      }),
    says: "they were not taken in time",
  },
  "goes away": {
    onSocket: (socket) =>
      socket.once("data", (bytes: Buffer) => {
        socket.write(handshake(bytes.toString()));
        socket.once("data", () => socket.destroy());
      }),
    says: "the connection or the file is gone",
  },
  "sends what no server may": {
    onSocket: (socket) =>
      socket.once("data", (bytes: Buffer) => {
        socket.write(Buffer.concat([Buffer.from(handshake(bytes.toString())), Buffer.from([0x81, 0x80, 0, 0, 0, 0])]));
      }),
    says: "the connection or the file is gone",
  },
};

describe("a relay that is none", () => {
  test("and nobody there at all", async () => {
    const warnings: CallgateError[] = [];
    const url = `ws://localhost:${await freePort()}`;
    const inspector = createInspector({ url, onWarning: (warning) => warnings.push(warning) });
    await play(inspector.observer);
    await inspector.close();
    await play(inspector.observer);
    expect(warnings.map(({ code, detail }) => ({ code, detail }))).toEqual([
      { code: "INSPECT_INCOMPLETE", detail: "no relay answers there" },
    ]);
  });

  test.each(Object.entries(OTHERS))("one that %s", async (_what, { onSocket, says }) => {
    const { port, stop } = await listen(onSocket);
    const warnings: CallgateError[] = [];
    const inspector = createInspector({
      url: `ws://127.0.0.1:${port}`,
      onWarning: (warning) => warnings.push(warning),
    });
    const { packages } = await play(inspector.observer);
    const startedAt = performance.now();
    await inspector.close();
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    expect(packages.map(told)).toContain("OK receipt_reconciled");
    expect(warnings.map(({ code, detail }) => ({ code, detail }))).toEqual([
      { code: "INSPECT_INCOMPLETE", detail: says },
    ]);
    stop();
  });

  test("a warning that nobody wants, or that is badly taken, changes nothing", async () => {
    const url = `ws://localhost:${await freePort()}`;
    for (const onWarning of [undefined, (() => Promise.reject(new Error("no"))) as () => void, () => fail()]) {
      const inspector = createInspector({ url, onWarning });
      await play(inspector.observer);
      await expect(inspector.close()).resolves.toBeUndefined();
    }
  });
});

test("what a relay does not take is bounded, and the gate waits for none of it", async () => {
  const { port, stop } = await listen((socket) => socket.pause());
  const warnings: CallgateError[] = [];
  const inspector = createInspector({ url: `ws://127.0.0.1:${port}`, onWarning: (warning) => warnings.push(warning) });
  const world = openWorld({ observer: inspector.observer });
  // Of each call some 10 kB are shown, for the most part the machine's definition.
  for (let call = 0; call < 4_000; call += 1) {
    const sketch = { id: `call-${call}`, tool: "read_note" };
    expect(told(await world.dispatch(sketch))).toBe("OK fresh");
  }
  expect(warnings).toMatchObject([{ code: "INSPECT_INCOMPLETE", detail: "they are taken too slowly" }]);
  await inspector.close();
  expect(warnings).toHaveLength(1);
  stop();
});

describe("a process that never closes its inspector ends by itself", () => {
  const script = (url: string): string => `
    import { createInspector } from ${JSON.stringify(new URL("../../src/drawing/inspector/inspector.ts", import.meta.url).href)};
    createInspector({ url: ${JSON.stringify(url)} }).observer({
      machine: "operation", run: "1", source: null, tool: null, state: "proposed", event: "host.bound", next: "bound",
      effects: [], failed: false, refusal: null, delivery: null,
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    console.log("done");`;

  const ended = async (url: string) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script(url)], { timeout: 20_000 });
    let output = "";
    child.stdout.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
    return new Promise((resolve) => {
      child.on("close", (status, signal) => {
        resolve({ status, signal, output });
      });
    });
  };
  const well = { status: 0, signal: null, output: "done\n" };

  test("with the relay there", async () => {
    const relay = await openRelay();
    const page = await relay.connect();
    expect(await ended(relay.url)).toEqual(well);
    expect(await page.receive(6)).toHaveLength(6);
    page.close();
    relay.stop();
  });

  test("with nobody there", async () => {
    expect(await ended(`ws://localhost:${await freePort()}`)).toEqual(well);
  });

  test.each(["never answers", "accepts and never reads"])("with one that %s", async (what) => {
    const { port, stop } = await listen(OTHERS[what]?.onSocket ?? (() => undefined));
    expect(await ended(`ws://localhost:${port}`)).toEqual(well);
    stop();
  });
});

function fail(): never {
  throw new Error("no");
}
