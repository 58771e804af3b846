import { createHash, randomBytes } from "node:crypto";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import type { LineSink, LineSinkOptions, Loss } from "./line-sink.ts";
import { clientFrame, ServerFrameReader } from "./web-socket-frames.ts";

/** Where a relay listens. */
export interface RelayAddress {
  /** An address, or a name to be looked up. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
}

/** Source: RFC 6455, section 1.3. */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** Source: RFC 6455, section 7.4.1: a normal closure. */
const CLOSE_NORMALLY = Buffer.from([0x03, 0xe8]);

/**
 * Opens a WebSocket that only sends. It connects straight to the address, whatever proxy the environment names; its
 * socket does not hold the process open; and what the system does not take waits in a bounded queue. Node's own client
 * offers none of the three.
 */
export function openRelaySocket(address: RelayAddress, options: LineSinkOptions): LineSink {
  return new RelaySocket(address, options);
}

class RelaySocket implements LineSink {
  readonly #longestQueue: number;
  readonly #tellLoss: (loss: Loss) => void;
  readonly #request: ClientRequest;
  readonly #over = Promise.withResolvers<void>();
  #socket: Socket | null = null;
  #queue: string[] = [];
  #queued = 0;
  #isFlushDue = false;
  #isEnding = false;
  #isOver = false;

  constructor({ host, port, path }: RelayAddress, { longestQueue, onLoss }: LineSinkOptions) {
    this.#longestQueue = longestQueue;
    this.#tellLoss = onLoss;
    const key = randomBytes(16).toString("base64");
    this.#request = request({
      host,
      port,
      path,
      headers: { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key },
      createConnection: () => connect({ host, port }).unref(),
    });
    this.#request.on("error", () => {
      this.#lose("absent");
    });
    this.#request.on("response", (response) => {
      response.destroy();
      this.#lose("absent");
    });
    this.#request.on("upgrade", (response: IncomingMessage, socket: Socket, head: Buffer) => {
      if (response.headers["sec-websocket-accept"] === acceptOf(key)) this.#open(socket, head);
      else {
        socket.destroy();
        this.#lose("absent");
      }
    });
    this.#request.end();
  }

  send(text: string): void {
    if (this.#isOver || this.#isEnding) return;
    if (this.#queued + (this.#socket?.writableLength ?? 0) + text.length > this.#longestQueue) {
      this.#tellLoss("full");
      return;
    }
    this.#queue.push(text);
    this.#queued += text.length;
    this.#flushSoon();
  }

  async end(withinMs: number): Promise<void> {
    if (this.#isOver) return;
    this.#isEnding = true;
    if (this.#socket !== null) this.#sayGoodbye(this.#socket);
    const timer = setTimeout(() => {
      this.#lose("slow");
    }, withinMs);
    await this.#over.promise;
    clearTimeout(timer);
  }

  #open(socket: Socket, head: Buffer): void {
    if (this.#isOver) {
      socket.destroy();
      return;
    }
    const reader = new ServerFrameReader();
    const onBytes = (bytes: Buffer): void => {
      const frames = reader.read(bytes);
      if (frames === null) this.#lose("gone");
      for (const { kind, payload } of frames ?? []) {
        if (kind === "ping") socket.write(clientFrame("pong", payload));
        else if (kind === "close") this.#isClosed(socket);
      }
    };
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", onBytes);
    socket.on("error", () => {
      this.#lose("gone");
    });
    socket.on("close", () => {
      this.#lose("gone");
    });
    if (head.length > 0) onBytes(head);
    this.#flush();
    if (this.#isEnding) this.#sayGoodbye(socket);
  }

  /** The relay has said goodbye: to ours, which then has reached it after everything else, or by itself. */
  #isClosed(socket: Socket): void {
    if (this.#isEnding) this.#finish();
    else {
      socket.write(clientFrame("close", CLOSE_NORMALLY));
      this.#lose("gone");
    }
  }

  #sayGoodbye(socket: Socket): void {
    this.#flush();
    socket.write(clientFrame("close", CLOSE_NORMALLY));
  }

  /** What is sent in one go is written in one go, and not while the gate is at work. */
  #flushSoon(): void {
    if (this.#isFlushDue || this.#socket === null) return;
    this.#isFlushDue = true;
    setImmediate(() => {
      this.#isFlushDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    const socket = this.#socket;
    if (socket === null || this.#queue.length === 0) return;
    socket.cork();
    for (const text of this.#queue) socket.write(clientFrame("text", Buffer.from(text)));
    socket.uncork();
    this.#queue = [];
    this.#queued = 0;
  }

  #lose(loss: Loss): void {
    if (this.#isOver) return;
    this.#finish();
    this.#tellLoss(loss);
  }

  #finish(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#queued = 0;
    this.#request.destroy();
    this.#socket?.destroy();
    this.#over.resolve();
  }
}

function acceptOf(key: string): string {
  return createHash("sha1").update(`${key}${ACCEPT_SUFFIX}`).digest("base64");
}
