export type { Diagnostic, DiagnosticListener, DiagnosticSubject } from "./dispatcher/diagnostic.ts";
export type {
  ApprovalRequest,
  GateDefinition,
  ScenarioClock,
  ScenarioOffer,
  WorldOpening,
} from "./dispatcher/gate-module.ts";
export { createGate, type Gate, type GateOptions } from "./dispatcher/gate.ts";
export type { ApprovalNotice, Observer, RunNotice, StepNotice } from "./dispatcher/observer.ts";
export { defineGate, openGate, type OpenGateOptions } from "./dispatcher/open-gate.ts";
export type { ApproveRequest, DispatchRequest, StatusQueryRequest } from "./dispatcher/request.ts";
export { createInspector, type Inspector, type InspectorOptions } from "./drawing/inspector/inspector.ts";
export { CallgateError, type FailureDetail } from "./errors/callgate-error.ts";
export { FAILURES, type FailureCode, type FailureRow } from "./errors/failures.ts";
export type { Problem } from "./errors/problem.ts";
export { REFUSALS, type RefusalCode, type RefusalRow } from "./errors/refusals.ts";
export type { Host } from "./host/host.ts";
export { simulatedHost, type SimulatedHost } from "./host/simulated.ts";
export { systemHost } from "./host/system.ts";
export { bindingSha256 } from "./json/binding-digest.ts";
export type { Place } from "./json/place.ts";
export { readJson, type JsonDocument } from "./json/read.ts";
export type { JournalStep, JournalVerdict, StoredEntry } from "./ledger/journal.ts";
export type {
  ApprovalStep,
  ApprovalSteps,
  ExpiredLeases,
  Hold,
  IdentityClaim,
  Intent,
  IntentAnswer,
  IntentApproval,
  Ledger,
  NextState,
  OwnerView,
  QueryStep,
  RecordedEffect,
  ScopeView,
  StartAnswer,
  StartMarker,
  StepRecord,
  StoredAttempt,
  WriteAnswer,
} from "./ledger/ledger.ts";
export { memoryLedger } from "./ledger/memory/memory-ledger.ts";
export type { GivenResultSet } from "./packages/validate-set.ts";
export type { GivenResult } from "./packages/validate.ts";
export type { ValidationError, ValidationRule } from "./packages/validation-error.ts";
export type { OutputLimits } from "./policy/output-contract.ts";
export type { ApprovalEvent, ApprovalEventType, ApprovalState } from "./protocol/approval-run.ts";
export type { Approval } from "./protocol/approval.ts";
export type { BoundCall } from "./protocol/bound-call.ts";
export {
  PROFILES,
  type Call,
  type ExecutionContext,
  type Principal,
  type Profile,
  type Proposal,
  type ProviderName,
  type Purpose,
  type Risk,
  type ToolContract,
} from "./protocol/call.ts";
export type { ExecutionBinding, SettledFacts } from "./protocol/facts.ts";
export type { ApprovalKey, AttemptId, IdentityKey, PrincipalRef, ScopeKey, Sha256, StatusRef } from "./protocol/ids.ts";
export type { InterpreterName } from "./protocol/interpreter.ts";
export type { JsonObject, JsonValue } from "./protocol/json.ts";
export type { OperationContext, OperationState } from "./protocol/operation.ts";
export { providerToolName } from "./protocol/provider-tool-name.ts";
export type { RegistryView, ToolView } from "./protocol/registry-view.ts";
export type {
  Binding,
  Category,
  Delivery,
  Downstream,
  ModelResult,
  Outcome,
  OutcomeRecord,
  ProtectedAudit,
  Provenance,
  Recovery,
  ResultError,
  ResultPackage,
  Status,
} from "./protocol/result.ts";
export type { AnthropicCall, AnthropicResponse, AnthropicTool, ToolResultBlock } from "./providers/anthropic.ts";
export type { FunctionResultTurn, GeminiCall, GeminiResponse, GeminiTool } from "./providers/gemini.ts";
export { toProviderTools, type ProviderTools, type ToolList } from "./providers/offer.ts";
export type { OfferedSchema } from "./providers/offered-tool.ts";
export type { FunctionCallOutput, OpenAiCall, OpenAiResponse, OpenAiTool } from "./providers/openai.ts";
export {
  toProviderPayload,
  type AnsweredCall,
  type ProviderPayload,
  type ProviderPayloads,
} from "./providers/payload.ts";
export { readProviderCall, type ProviderCall, type ProviderCalls, type ToolNames } from "./providers/provider-call.ts";
export type { TextBlock } from "./providers/text-block.ts";
export type { StandardSchema } from "./schemas/standard-schema.ts";
export { defineTool } from "./tools/define-tool.ts";
export type {
  AccessRequest,
  ExecuteAnswer,
  ExecuteRequest,
  ObjectSchema,
  ReceiptAnswer,
  ReceiptRequest,
  ToolDefinition,
  ToolRevisions,
  ToolSchema,
  ValueOf,
} from "./tools/definition.ts";
export { lintTools } from "./tools/lint-tools.ts";
export { NotStarted, type NotStartedByTool } from "./tools/not-started.ts";
export { createRegistry, type Registry } from "./tools/registry.ts";
export type { Tool } from "./tools/tool.ts";
