import {
  createGate,
  defineTool,
  memoryLedger,
  simulatedHost,
  type Approval,
  type ExecuteAnswer,
  type ExecuteRequest,
  type ExecutionBinding,
  type ExecutionContext,
  type Gate,
  type GateOptions,
  type JsonObject,
  type Ledger,
  type Principal,
  type ResultPackage,
  type SimulatedHost,
  type Tool,
} from "../../src/index.ts";

/** When every world starts. Units: seconds since the Unix epoch. */
export const START_SECONDS = 1_800_000_000;

/** Deadline of both tools. Units: milliseconds. */
export const DEADLINE_MS = 800;

/** Longer than any lease. Units: milliseconds. */
export const BEYOND_LEASES_MS = 10_000;

/** Who acts unless said otherwise; the accounts are theirs. */
export const PAYER: Principal = { tenant_id: "tenant-a", subject_id: "payer-1", roles: [] };

/** Somebody else of the same tenant; account B-1 is theirs. */
export const NEIGHBOUR: Principal = { tenant_id: "tenant-a", subject_id: "payer-2", roles: [] };

/** Who may approve. */
export const REVIEWER = "reviewer-1";

/** What differs from the usual call: the payer pays 5 from account A-1. */
export interface CallSketch {
  readonly id?: string;
  readonly by?: Principal;
  readonly tool?: string;
  readonly input?: unknown;
  readonly key?: string | null;
  readonly context?: Partial<ExecutionContext>;
}

/** Arguments of the tool that pays. */
export interface Payment {
  readonly account: string;
  readonly amount: number;
}

type PaymentAnswer = ExecuteAnswer<Payment & { readonly payment_id: string }>;

/** How the bank behaves; each part may be replaced at any time, by what types do not promise too. */
export interface BankBehaviour {
  authorize: () => unknown;
  /** Before the effect. */
  begin: (request: ExecuteRequest<JsonObject>) => unknown;
  /** After the effect: what is said of it. */
  answer: (good: PaymentAnswer) => unknown;
  lookUp: (good: object) => unknown;
  receipt: (kept: object | null) => unknown;
}

/** The bank behind the tools: its accounts, and what it was made to do. */
export interface Bank {
  readonly behaviour: BankBehaviour;
  readonly accounts: Map<string, { readonly tenant: string; readonly owner: string; readonly isOpen: boolean }>;
  /** Every payment that was made, in order. */
  readonly payments: Payment[];
  /** What the tools were asked, in order. */
  readonly asked: string[];
  readonly receipts: Map<string, PaymentAnswer & { readonly binding: ExecutionBinding }>;
}

/** Options of a world beside those of a gate. */
export interface PaymentsOptions extends Partial<Omit<GateOptions, "ledger" | "host">> {
  readonly policyRevision?: string;
  readonly allowsSelfApproval?: boolean;
  /** Puts something between gate and ledger. */
  readonly between?: (ledger: Ledger) => Ledger;
}

/** A gate before a bank, and the calls that reach it. */
export interface Payments {
  readonly gate: Gate;
  readonly host: SimulatedHost;
  readonly ledger: Ledger;
  readonly bank: Bank;
  /** Approves a call as the host does it. */
  approve(sketch?: CallSketch, approverId?: string): Approval;
  /** Dispatches a call with just these approvals. */
  dispatch(sketch?: CallSketch, approvals?: unknown, signal?: AbortSignal): Promise<ResultPackage>;
  /** Approves a call and dispatches it. */
  pay(sketch?: CallSketch): Promise<ResultPackage>;
  /** Asks under an identity of its own what became of the call that a package is about. */
  query(about: ResultPackage, sketch?: CallSketch): Promise<ResultPackage>;
  /** Another process: another gate on the same ledger, clock and bank. */
  another(options?: PaymentsOptions): Payments;
}

/** Opens a world. */
export function openPayments(options: PaymentsOptions = {}): Payments {
  const host = simulatedHost(START_SECONDS);
  return paymentsOver(newBank(), memoryLedger(host), host, options);
}

/** The request of a call. */
export function requestOf(sketch: CallSketch = {}) {
  const executionContext: ExecutionContext = {
    provider: "openai",
    api_family: "responses",
    adapter_revision: "openai-responses-v1",
    response_id: "response-1",
    call_id: sketch.id ?? "call-1",
    operation_id: "operation-1",
    idempotency_key: sketch.key === undefined ? "key-1" : sketch.key,
    ...sketch.context,
  };
  const input = "input" in sketch ? sketch.input : { account: "A-1", amount: 5 };
  const proposal = { name: sketch.tool ?? "pay", arguments: input };
  return { principal: sketch.by ?? PAYER, proposal, executionContext };
}

/** A call as auditors know it. */
export function callOf(sketch: CallSketch = {}) {
  const { proposal, executionContext } = requestOf(sketch);
  return { ...proposal, ...executionContext };
}

/** A package, and the call that it is said to answer. */
export function givenFor(sketch: CallSketch, given: unknown) {
  return { principal: sketch.by ?? PAYER, call: callOf(sketch), package: given };
}

function paymentsOver(bank: Bank, ledger: Ledger, host: SimulatedHost, options: PaymentsOptions): Payments {
  const { between, policyRevision, allowsSelfApproval, ...rest } = options;
  const gate = createGate({
    tools: bankTools(bank, policyRevision, allowsSelfApproval),
    approvers: [REVIEWER],
    ...rest,
    ledger: between === undefined ? ledger : between(ledger),
    host,
  });
  const approve: Payments["approve"] = (sketch = {}, approverId = REVIEWER) =>
    gate.approve({ ...requestOf(sketch), approverId, lifeSeconds: 60 });
  const dispatch: Payments["dispatch"] = (sketch = {}, approvals = [], signal) =>
    gate.dispatch({ ...requestOf(sketch), approvals: approvals as readonly unknown[], signal });
  return {
    gate,
    host,
    ledger,
    bank,
    approve,
    dispatch,
    pay: (sketch = {}) => dispatch(sketch, [approve(sketch)]),
    query: ({ protected_audit: { binding, downstream } }, sketch = {}) =>
      gate.queryStatus({
        ...requestOf({ id: "query-1", ...sketch }),
        statusRef: downstream.status_ref ?? "none",
        expectedRequestSha256: binding.request_sha256,
      }),
    another: (more = {}) => paymentsOver(bank, ledger, host, more),
  };
}

function newBank(): Bank {
  const own = { tenant: "tenant-a", owner: "payer-1", isOpen: true };
  return {
    behaviour: {
      authorize: () => true,
      begin: () => undefined,
      answer: (good) => good,
      lookUp: (good) => good,
      receipt: (kept) => kept,
    },
    accounts: new Map([
      ["A-1", own],
      ["A-2", own],
      ["B-1", { ...own, owner: "payer-2" }],
    ]),
    payments: [],
    asked: [],
    receipts: new Map(),
  };
}

const ACCOUNT = { type: "string", minLength: 1, maxLength: 64 } as const;
const AMOUNT = { type: "integer", minimum: 1, maximum: 1_000_000 } as const;
const closed = { type: "object", additionalProperties: false } as const;

function bankTools(bank: Bank, policy = "policy-v1", unsafeSelfApproval = false): Tool[] {
  const { accounts, asked, behaviour, payments, receipts } = bank;
  const revisions = (stem: string) => ({
    inputSchema: `${stem}-input-v1`,
    outputSchema: `${stem}-output-v1`,
    effect: `${stem}-effect-v1`,
    handler: `${stem}-handler-v1`,
    producer: `${stem}-producer-v1`,
    policy,
  });
  const evidence = { resourceRevision: null, observedAt: "2026-01-02T03:04:05Z" };
  const authorize = ({
    arguments: { account },
    principal,
  }: {
    arguments: { account: string };
    principal: Principal;
  }) => {
    asked.push("authorize");
    const found = accounts.get(account);
    const isTheirs = found?.tenant === principal.tenant_id && found.owner === principal.subject_id;
    return isTheirs && (behaviour.authorize() as boolean);
  };
  return [
    defineTool({
      name: "pay",
      description: "Pays from an account.",
      risk: "write",
      inputSchema: { ...closed, properties: { account: ACCOUNT, amount: AMOUNT }, required: ["account", "amount"] },
      outputSchema: {
        ...closed,
        properties: { payment_id: { type: "string" }, account: ACCOUNT, amount: AMOUNT },
        required: ["payment_id", "account", "amount"],
      },
      outputEquals: { account: "account", amount: "amount" },
      revisions: revisions("pay"),
      sourceLabel: "bank",
      deadlineMs: DEADLINE_MS,
      unsafeSelfApproval,
      authorize,
      precondition: ({ arguments: { account } }) => {
        asked.push("precondition");
        return accounts.get(account)?.isOpen === true;
      },
      execute: async (request) => {
        asked.push("execute");
        await behaviour.begin(request);
        payments.push(request.arguments);
        const number = payments.length;
        const output = { payment_id: `PAYMENT-${number}`, ...request.arguments };
        const ids = { requestId: `bank-request-${number}`, receiptId: `bank-receipt-${number}` };
        const answer = { output, producerRevision: "pay-producer-v1", ...evidence, ...ids };
        receipts.set(String(request.statusRef), { ...answer, binding: request.binding });
        return behaviour.answer(answer) as typeof answer;
      },
      queryReceipt: async ({ statusRef }) => {
        asked.push("receipt");
        return behaviour.receipt(receipts.get(statusRef) ?? null) as Promise<null>;
      },
    }),
    defineTool({
      name: "look_up",
      description: "Looks an account up.",
      risk: "read",
      inputSchema: { ...closed, properties: { account: ACCOUNT }, required: ["account"] },
      outputSchema: {
        ...closed,
        properties: {
          account: ACCOUNT,
          is_open: { type: "boolean" },
          notes: {
            type: "object",
            patternProperties: { "^[A-Za-z_-]+$": { type: "string" } },
            additionalProperties: false,
          },
        },
        required: ["account", "is_open", "notes"],
      },
      outputEquals: { account: "account" },
      revisions: revisions("look-up"),
      sourceLabel: "bank",
      deadlineMs: DEADLINE_MS,
      authorize,
      execute: async ({ arguments: { account } }) => {
        asked.push("execute");
        const output = { account, is_open: accounts.get(account)?.isOpen === true, notes: {} };
        const good = { output, producerRevision: "look-up-producer-v1", ...evidence, requestId: null, receiptId: null };
        return behaviour.lookUp(good) as typeof good;
      },
    }),
  ];
}
