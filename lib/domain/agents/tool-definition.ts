import type { AgentTool, Shortening } from "../../contract/agent-tool.ts";
import type { KeyScope } from "../../contract/key-scopes.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool of agents with its route, as the build derives it from the contract of the route. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments: the fields of path, query and body in one object. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly method: string;
  /** Path of the route, with its variables in braces. */
  readonly path: string;
  readonly pathFields: readonly string[];
  readonly queryFields: readonly string[];
  /** Fields of the JSON body; empty for a route without one. */
  readonly bodyFields: readonly string[];
  readonly scope: KeyScope;
  /** Team feature that the route needs, if any. */
  readonly feature?: string;
  readonly reach: AgentTool["reach"];
  readonly shortening: Shortening;
  readonly rest: string;
}

/** What the endpoint for agents offers. The build writes it beside the function (lib/openapi/agent-catalogue.ts). */
export interface AgentCatalogue {
  readonly server: { readonly name: string; readonly version: string };
  /** What a model reads about the whole server. */
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
}
