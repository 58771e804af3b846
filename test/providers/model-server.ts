import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/protocol/json.ts";

/** A request that a provider's SDK sent. */
export interface SentRequest {
  readonly path: string;
  readonly body: JsonObject;
}

/** A server on this machine that stands where a provider's stands. */
export interface ModelServer {
  readonly url: string;
  /** What it was sent, in order. */
  readonly requests: readonly SentRequest[];
  close(): Promise<void>;
}

/** Events as a stream sends them, each under the name of its type. */
export class EventStream {
  readonly text: string;

  constructor(...events: readonly { readonly type: string; readonly [member: string]: unknown }[]) {
    this.text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  }
}

/** Answers each request with the next reply; a request too many is answered with an error that no SDK tries again. */
export async function modelServer(replies: readonly unknown[]): Promise<ModelServer> {
  const requests: SentRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const reply = replies[requests.length];
      requests.push({
        path: `${request.method} ${request.url}`,
        body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject,
      });
      const [type, text] =
        reply instanceof EventStream
          ? ["text/event-stream", reply.text]
          : ["application/json", JSON.stringify(reply ?? { error: { message: "nothing more to say" } })];
      response.writeHead(reply === undefined ? 400 : 200, { "content-type": type });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      }),
  };
}
