import { CallgateError } from "../../errors/callgate-error.ts";
import type { RelayAddress } from "../../host/relay-socket.ts";

/** The relay of @statelyai/inspect, where it listens unless told otherwise. */
export const DEFAULT_RELAY_URL = "ws://localhost:8080";

const LOOPBACK = /^127\.\d+\.\d+\.\d+$/;
const DEFAULT_PORT = 80;

/**
 * Where a relay's URL leads. `localhost` is taken for 127.0.0.1: what a name stands for, others decide.
 * Errors: INSPECT_URL_REFUSED for what is not `ws:`, and for any host but this machine's loopback unless it is allowed.
 */
export function readRelayUrl(text: unknown, allowsRemote: boolean): RelayAddress {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw refused("it is no URL");
  if (url.protocol !== "ws:") throw refused("only ws: is spoken");
  if (url.username !== "" || url.password !== "") throw refused("it has a user or a password");
  const host = loopbackIn(url.hostname) ?? (allowsRemote ? url.hostname.replaceAll(/^\[|\]$/g, "") : null);
  if (host === null) throw refused("the host is not the loopback of this machine");
  return { host, port: url.port === "" ? DEFAULT_PORT : Number(url.port), path: `${url.pathname}${url.search}` };
}

function loopbackIn(hostname: string): string | null {
  if (hostname === "localhost") return "127.0.0.1";
  if (hostname === "[::1]") return "::1";
  return LOOPBACK.test(hostname) ? hostname : null;
}

function refused(detail: string): CallgateError {
  return new CallgateError("INSPECT_URL_REFUSED", { detail });
}
