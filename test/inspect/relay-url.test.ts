import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createInspector } from "../../src/drawing/inspector/inspector.ts";
import { readRelayUrl } from "../../src/drawing/inspector/relay-url.ts";
import { CallgateError } from "../../src/errors/callgate-error.ts";

describe("a relay's URL", () => {
  test.each([
    ["ws://localhost:8080", { host: "127.0.0.1", port: 8080, path: "/" }],
    ["ws://LOCALHOST", { host: "127.0.0.1", port: 80, path: "/" }],
    ["ws://127.0.0.1:9/room?id=1#part", { host: "127.0.0.1", port: 9, path: "/room?id=1" }],
    ["ws://127.255.0.3:9", { host: "127.255.0.3", port: 9, path: "/" }],
    // The URL's own reader writes every way to say it in one way.
    ["ws://2130706433:9", { host: "127.0.0.1", port: 9, path: "/" }],
    ["ws://[0:0::1]:9", { host: "::1", port: 9, path: "/" }],
  ])("%s leads to this machine", (url, address) => {
    expect(readRelayUrl(url, false)).toEqual(address);
  });

  test.each([
    ["ws://relay.example:8080", "relay.example"],
    ["ws://192.168.0.1:8080", "192.168.0.1"],
    ["ws://0.0.0.0:8080", "0.0.0.0"],
    ["ws://127.0.0.1.example:8080", "127.0.0.1.example"],
    ["ws://localhost.:8080", "localhost."],
    ["ws://[fe80::1]:8080", "fe80::1"],
    ["ws://[::ffff:127.0.0.1]:8080", "::ffff:7f00:1"],
  ])("%s is refused unless remote ones are allowed", (url, host) => {
    expect(() => readRelayUrl(url, false)).toThrow(expect.objectContaining({ code: "INSPECT_URL_REFUSED" }) as Error);
    expect(() => createInspector({ url })).toThrow(CallgateError);
    expect(readRelayUrl(url, true)).toEqual({ host, port: 8080, path: "/" });
  });

  test.each([
    "wss://localhost:8080",
    "http://localhost:8080",
    "ws://ada:lovelace@localhost:8080",
    "localhost:8080",
    "",
    "ws://",
    7,
    null,
    {},
  ])("%j is refused in any case, and not repeated", (url) => {
    for (const allowsRemote of [false, true]) {
      expect(() => readRelayUrl(url, allowsRemote)).toThrow(
        expect.objectContaining({
          code: "INSPECT_URL_REFUSED",
          message: expect.not.stringMatching(/lovelace|8080/) as string,
        }) as Error,
      );
    }
  });
});

describe("an inspector's file", () => {
  const folder = mkdtempSync(join(tmpdir(), "callgate-inspect-"));

  test.each([[folder], [join(folder, "no", "file")], [""], [7 as never]])("%j cannot be written", (file) => {
    expect(() => createInspector({ file })).toThrow(expect.objectContaining({ code: "FILE_UNWRITABLE" }) as Error);
  });

  test("is not opened when the URL is refused", () => {
    const file = join(folder, "messages.jsonl");
    expect(() => createInspector({ file, url: "ws://relay.example" })).toThrow(CallgateError);
    expect(() => rmSync(file)).toThrow(/ENOENT/);
    rmSync(folder, { recursive: true });
  });
});
