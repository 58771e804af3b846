/** Stands in whatever must never reach a model: raw errors and refused output. */
export const MARK = "not-for-models";

type Loose = Record<string, unknown>;

const withOutput = (change: Loose) => (answer: Loose) => ({
  ...answer,
  output: { ...Object(answer["output"]), ...change },
});
const withMember = (change: Loose) => (answer: Loose) => ({ ...answer, ...change });

/** Ways to break the output contract of either tool. */
const BAD_ANSWERS: readonly ((answer: Loose) => unknown)[] = [
  withOutput({ note: MARK }),
  withOutput({ order_ref: MARK }),
  withOutput({ "Set-Cookie": MARK }),
  withOutput({ order_ref: 7 }),
  withMember({ output: null }),
  withMember({ output: [MARK] }),
  withMember({ output: {} }),
  withMember({ producerRevision: `producer ${MARK}` }),
  withMember({ resourceRevision: " " }),
  withMember({ resourceRevision: undefined }),
  withMember({ observedAt: "2026-02-30T00:00:00Z" }),
  withMember({ observedAt: "2026-07-19T00:00:00+00:00" }),
  withMember({ requestId: "" }),
  withMember({ receiptId: 7 }),
  () => MARK,
  () => undefined,
  () => ({
    get output(): never {
      throw new Error(MARK);
    },
  }),
];

/** An answer that breaks the contract of the tool's result. Shape: the type is what the tool claims, not what it is. */
export function badAnswer<Answer extends object>(answer: Answer, variant: number): Answer {
  const change = BAD_ANSWERS[variant % BAD_ANSWERS.length];
  return change?.(Object.fromEntries(Object.entries(answer))) as Answer;
}

/** Ways to throw that do not say that nothing was begun. */
const THROWN: readonly (() => unknown)[] = [
  () => new Error(MARK),
  () => MARK,
  () => undefined,
  () => Object.assign(new Error(MARK), { name: "NotStarted", code: "RATE_LIMIT" }),
  () => ({ code: "TIMEOUT_BEFORE_EXECUTE", message: MARK }),
];

/** Throws something, one way or another. */
export function throwSomething(variant: number): never {
  throw THROWN[variant % THROWN.length]?.();
}

/** Ways in which a check says anything but yes. */
const DENIALS: readonly (() => unknown)[] = [
  () => false,
  () => "true",
  () => 1,
  () => ({ granted: true }),
  () => Promise.resolve(null),
  () => Promise.reject(new Error(MARK)),
  () => {
    throw new Error(MARK);
  },
];

/** A denial of a check. Shape: the type is what the check claims. */
export function denial(variant: number): boolean {
  return DENIALS[variant % DENIALS.length]?.() as boolean;
}

/** Receipts that contradict the operation. */
const CONTRADICTIONS: readonly ((receipt: Loose) => unknown)[] = [
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), request_sha256: "0".repeat(64) } }),
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), provider: MARK } }),
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), adapter_revision: MARK } }),
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), output_schema_revision: MARK } }),
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), handler_revision: MARK } }),
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), producer_revision: MARK } }),
  (receipt) => ({ ...receipt, binding: { ...Object(receipt["binding"]), status_ref: `status_${"0".repeat(32)}` } }),
  (receipt) => ({ ...receipt, binding: "0".repeat(64) }),
  withOutput({ order_ref: MARK }),
  withMember({ producerRevision: MARK }),
];

/** A receipt that is not of the operation it is asked for. Shape: the type is what the tool claims. */
export function contradicting<Receipt extends object>(receipt: Receipt, variant: number): Receipt {
  return CONTRADICTIONS[variant % CONTRADICTIONS.length]?.(Object.fromEntries(Object.entries(receipt))) as Receipt;
}
