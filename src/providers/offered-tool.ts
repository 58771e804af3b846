import type { JsonValue } from "../protocol/json.ts";

/** The schema of a tool's arguments, as every provider takes it. */
export interface OfferedSchema {
  readonly type: "object";
  readonly [keyword: string]: JsonValue;
}

/** What a provider is told of a tool, under the name that it is offered by. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: OfferedSchema;
}
