import type { ToolDefinition } from "./tool-definition.ts";

/** The arguments of a tool call, as a client sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The request to the route of a tool. */
export interface ToolRequest {
  readonly method: string;
  /** Path and query string. */
  readonly target: string;
  readonly body: string | undefined;
}

/** An argument that no request can carry. Messages never contain the value: it may be personal data. */
export interface ArgumentProblem {
  readonly loc: readonly string[];
  readonly msg: string;
}

/**
 * Converts the arguments of a tool call to a request. The route itself validates their values.
 * @returns problems instead, for unknown arguments and values that fit into no path or query.
 */
export function createToolRequest(
  tool: ToolDefinition,
  given: ToolArguments,
): ToolRequest | { readonly problems: readonly ArgumentProblem[] } {
  const known = [...tool.pathFields, ...tool.queryFields, ...tool.bodyFields];
  const problems = [
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => ({ loc: ["arguments", name.slice(0, 100)], msg: "Unrecognized argument" })),
    ...tool.pathFields.filter((name) => !isPathSegment(given[name])).map(problem("A text that is not empty")),
    ...tool.queryFields.filter((name) => !isQueryValue(given[name])).map(problem("A text, number, boolean or list")),
  ];
  if (problems.length > 0) return { problems };
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const query = toQuery(tool.queryFields, given);
  const body = Object.fromEntries(tool.bodyFields.map((name) => [name, given[name]]));
  return {
    method: tool.method,
    target: query === "" ? path : `${path}?${query}`,
    body: tool.bodyFields.length > 0 ? JSON.stringify(body) : undefined,
  };
}

const problem = (msg: string) => (name: string) => ({ loc: ["arguments", name], msg });

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
const isAbsent = (value: unknown) => value === undefined || value === null;
const isQueryValue = (value: unknown) =>
  isAbsent(value) || isScalar(value) || (Array.isArray(value) && value.every(isScalar));

/** URLs resolve `.` and `..`, so these would lead to another route. */
const isPathSegment = (value: unknown) => isScalar(value) && !/^\.{0,2}$/.test(String(value)) && isWellFormed(value);
const isWellFormed = (value: unknown) => String(value).isWellFormed();

function toQuery(fields: readonly string[], given: ToolArguments): string {
  const query = new URLSearchParams();
  for (const name of fields) {
    const value = given[name];
    if (isAbsent(value)) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.toString();
}
