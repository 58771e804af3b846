import { randomBytes } from "node:crypto";

/** A frame that says something of the connection itself. */
export interface ControlFrame {
  readonly kind: "close" | "ping" | "pong";
  /** Units: at most 125 bytes. */
  readonly payload: Buffer;
}

const OPCODES = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const;
const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;
const LONGEST_CONTROL_PAYLOAD = 125;
const NOTHING = Buffer.alloc(0);

/** One whole frame of a client, masked as a client's have to be. Source: RFC 6455, section 5. */
export function clientFrame(kind: keyof typeof OPCODES, payload: Buffer): Buffer {
  const { length } = payload;
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const maskAt = 2 + lengthBytes;
  const frame = Buffer.allocUnsafe(maskAt + MASK_BYTES + length);
  frame[0] = FINAL | OPCODES[kind];
  frame[1] = MASKED | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(MASK_BYTES);
  mask.copy(frame, maskAt);
  for (let index = 0; index < length; index += 1) {
    frame[maskAt + MASK_BYTES + index] = (payload[index] ?? 0) ^ (mask[index % MASK_BYTES] ?? 0);
  }
  return frame;
}

/** Reads what a server sends, as it comes in, and keeps nothing of its messages: nobody here listens to them. */
export class ServerFrameReader {
  #rest: Buffer = NOTHING;
  #unreadBytes = 0;

  /** The control frames that are complete with these bytes; null for what no server may send. */
  read(bytes: Buffer): readonly ControlFrame[] | null {
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = NOTHING;
    const frames: ControlFrame[] = [];
    for (;;) {
      const passedOver = Math.min(this.#unreadBytes, data.length);
      this.#unreadBytes -= passedOver;
      data = data.subarray(passedOver);
      const header = headerOf(data);
      if (header === null) break;
      const { opcode, isMasked, headerBytes, payloadBytes } = header;
      if (isMasked) return null;
      if (opcode < OPCODES.close) {
        data = data.subarray(headerBytes);
        this.#unreadBytes = payloadBytes;
        continue;
      }
      const kind = controlKindOf(opcode);
      if (kind === null || payloadBytes > LONGEST_CONTROL_PAYLOAD) return null;
      if (data.length < headerBytes + payloadBytes) break;
      frames.push({ kind, payload: data.subarray(headerBytes, headerBytes + payloadBytes) });
      data = data.subarray(headerBytes + payloadBytes);
    }
    this.#rest = data;
    return frames;
  }
}

/** Null until all of it is there. */
function headerOf(data: Buffer) {
  const [first, second] = data;
  if (first === undefined || second === undefined) return null;
  const short = second & 0x7f;
  const headerBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < headerBytes) return null;
  const payloadBytes = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  return { opcode: first & 0x0f, isMasked: (second & MASKED) !== 0, headerBytes, payloadBytes };
}

function controlKindOf(opcode: number): ControlFrame["kind"] | null {
  if (opcode === OPCODES.close) return "close";
  if (opcode === OPCODES.ping) return "ping";
  return opcode === OPCODES.pong ? "pong" : null;
}
