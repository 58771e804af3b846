export type {
  ApprovalRequest,
  GateDefinition,
  ScenarioClock,
  ScenarioOffer,
  WorldOpening,
} from "./dispatcher/gate-module.ts";
export { createGate, type Gate, type GateOptions } from "./dispatcher/gate.ts";
export { defineGate, openGate, type OpenGateOptions } from "./dispatcher/open-gate.ts";
export type { Diagnostic, DiagnosticListener, DiagnosticSubject } from "./dispatcher/diagnostic.ts";
export type { ApprovalNotice, Observer, RunNotice, StepNotice } from "./dispatcher/observer.ts";
export { createInspector, type Inspector, type InspectorOptions } from "./drawing/inspector/inspector.ts";
export type { ApproveRequest, DispatchRequest, StatusQueryRequest } from "./dispatcher/request.ts";
export type { InterpreterName } from "./protocol/interpreter.ts";
export { CallgateError } from "./errors/callgate-error.ts";
export { FAILURES, type FailureCode, type FailureRow } from "./errors/failures.ts";
export { REFUSALS, type RefusalCode, type RefusalRow } from "./errors/refusals.ts";
export type { Host } from "./host/host.ts";
export { simulatedHost, type SimulatedHost } from "./host/simulated.ts";
export { systemHost } from "./host/system.ts";
export { readJson, type JsonDocument } from "./json/read.ts";
export { bindingSha256 } from "./json/binding-digest.ts";
export { memoryLedger } from "./ledger/memory/memory-ledger.ts";
export type { Ledger } from "./ledger/ledger.ts";
export type { GivenResultSet } from "./packages/validate-set.ts";
export type { GivenResult } from "./packages/validate.ts";
export type { ValidationError } from "./packages/validation-error.ts";
export type { Approval } from "./protocol/approval.ts";
export type { Call, ExecutionContext, Principal, Proposal, Risk, ToolContract } from "./protocol/call.ts";
export type { ExecutionBinding, SettledFacts } from "./protocol/facts.ts";
export type { Sha256, StatusRef } from "./protocol/ids.ts";
export type { JsonObject, JsonValue } from "./protocol/json.ts";
export type { ModelResult, ProtectedAudit, ResultPackage } from "./protocol/result.ts";
export { toProviderPayload, type ProviderPayload } from "./providers/payload.ts";
export { defineTool } from "./tools/define-tool.ts";
export type {
  AccessRequest,
  ExecuteAnswer,
  ExecuteRequest,
  ReceiptAnswer,
  ReceiptRequest,
  ToolDefinition,
  ToolRevisions,
} from "./tools/definition.ts";
export { NotStarted, type NotStartedByTool } from "./tools/not-started.ts";
export { createRegistry, type Registry } from "./tools/registry.ts";
export type { Tool } from "./tools/tool.ts";
