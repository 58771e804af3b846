import { describe, expect, test } from "vitest";
import { clientFrame, ServerFrameReader, type ControlFrame } from "../../src/host/web-socket-frames.ts";

/** Reads a client's frame as a server does. */
function unmasked(frame: Buffer): { readonly first: number; readonly text: string } {
  const short = frame.readUInt8(1) & 0x7f;
  expect(frame.readUInt8(1) & 0x80).toBe(0x80);
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  const payload = Buffer.from(frame.subarray(at + 4));
  expect(payload).toHaveLength(length);
  for (let index = 0; index < length; index += 1)
    payload.writeUInt8(payload.readUInt8(index) ^ frame.readUInt8(at + (index % 4)), index);
  return { first: frame.readUInt8(0), text: payload.toString() };
}

describe("a client's frame", () => {
  test.each([0, 1, 3, 125, 126, 127, 65_535, 65_536, 70_001])("of %i bytes is read as it was written", (length) => {
    const text = "é".repeat(length >> 1) + "e".repeat(length & 1);
    expect(unmasked(clientFrame("text", Buffer.from(text)))).toEqual({ first: 0x81, text });
  });

  test("is masked anew each time", () => {
    const payload = Buffer.alloc(64);
    expect(clientFrame("pong", payload)).not.toEqual(clientFrame("pong", payload));
  });
});

const DATA = [
  Buffer.from([0x81, 0x02, 0x68, 0x69]),
  Buffer.concat([Buffer.from([0x01, 126, 0x01, 0x00]), Buffer.alloc(256, 0x89)]),
  Buffer.concat([Buffer.from([0x80, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536, 0x88)]),
];
const PING = Buffer.from([0x89, 0x03, 1, 2, 3]);
const CLOSE = Buffer.from([0x88, 0x00]);
const EXPECTED: readonly ControlFrame[] = [
  { kind: "ping", payload: Buffer.from([1, 2, 3]) },
  { kind: "close", payload: Buffer.alloc(0) },
];

describe("what a server sends", () => {
  const stream = Buffer.concat([...DATA, PING, ...DATA, CLOSE]);

  test.each([1, 2, 3, 7, 1_000, stream.length])("in pieces of %i bytes, is read for its control frames", (size) => {
    const reader = new ServerFrameReader();
    const frames: ControlFrame[] = [];
    for (let at = 0; at < stream.length; at += size) {
      frames.push(
        ...(reader.read(stream.subarray(at, at + size)) ?? []).map(({ kind, payload }) => ({
          kind,
          payload: Buffer.from(payload),
        })),
      );
    }
    expect(frames).toEqual(EXPECTED);
  });

  test.each([
    ["a masked frame", [0x81, 0x80, 0, 0, 0, 0]],
    ["a control frame that is too long", [0x89, 126, 0x01, 0x00]],
    ["a control frame that nobody knows", [0x8b, 0x00]],
  ])("%s is none of it", (_what, bytes) => {
    expect(new ServerFrameReader().read(Buffer.from(bytes))).toBeNull();
  });
});
