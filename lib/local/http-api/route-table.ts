/** Key of the route for requests that match no other route. */
const DEFAULT_ROUTE_KEY = "$default";

/** A parsed route key such as `GET /users/{user_id}`. */
interface RoutePattern {
  readonly method: string;
  readonly segments: readonly Segment[];
}

/** One segment of a path. A greedy variable, written `{name+}`, matches all remaining segments. */
interface Segment {
  readonly kind: "static" | "variable" | "greedy";
  /** The text of a static segment, the name of a variable. */
  readonly name: string;
}

/** The matching route of a request, with the values of its path variables. */
export interface RouteMatch<Route> {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface RouteEntry<Route> extends RoutePattern {
  readonly route: Route;
}

/**
 * The routes of an HTTP API in their order of precedence (API Gateway, "Create routes for HTTP APIs"):
 * 1. full matches: fewer variables first, then static segments further left first
 * 2. greedy routes
 * 3. `$default`
 * For the same path a route with a method precedes `ANY`.
 */
export class RouteTable<Route extends { readonly routeKey: string }> {
  readonly #entries: readonly RouteEntry<Route>[];
  readonly #default: Route | undefined;

  /** @throws Error for a malformed route key and for two routes that match the same requests. */
  constructor(routes: readonly Route[]) {
    this.#default = routes.find(({ routeKey }) => routeKey === DEFAULT_ROUTE_KEY);
    const others = routes.filter(({ routeKey }) => routeKey !== DEFAULT_ROUTE_KEY);
    this.#entries = others.map((route) => ({ route, ...parseRouteKey(route.routeKey) })).sort(byPrecedence);
    const seen = new Map<string, string>();
    for (const { route, method, segments } of this.#entries) {
      const shape = `${method} ${segments.map(({ kind, name }) => (kind === "static" ? name : `{${kind}}`)).join("/")}`;
      const twin = seen.get(shape);
      if (twin) throw new Error(`the routes "${twin}" and "${route.routeKey}" match the same requests`);
      seen.set(shape, route.routeKey);
    }
  }

  /** @param segments the decoded segments of the path. */
  match(method: string, segments: readonly string[]): RouteMatch<Route> | undefined {
    for (const entry of this.#entries) {
      if (entry.method !== method && entry.method !== "ANY") continue;
      const pathParameters = matchSegments(entry.segments, segments);
      if (pathParameters) return { route: entry.route, pathParameters };
    }
    return this.#default && { route: this.#default, pathParameters: {} };
  }
}

function parseRouteKey(routeKey: string): RoutePattern {
  const [, method, path] = /^([A-Z]+) \/(\S*)$/.exec(routeKey) ?? [];
  if (method === undefined || path === undefined) throw new Error(`"${routeKey}" is not a route key`);
  const segments = path.split("/").map(parseSegment);
  const greedyAt = segments.findIndex(({ kind }) => kind === "greedy");
  if (greedyAt !== -1 && greedyAt !== segments.length - 1) {
    throw new Error(`a greedy variable must be the end of its path: "${routeKey}"`);
  }
  return { method, segments };
}

function parseSegment(text: string): Segment {
  const [, name, plus] = /^\{([^{}+]+)(\+?)\}$/.exec(text) ?? [];
  if (name === undefined) return { kind: "static", name: text };
  return { kind: plus ? "greedy" : "variable", name };
}

const SEGMENT_RANK = { static: 0, variable: 1, greedy: 2 } as const;

function byPrecedence(one: RoutePattern, other: RoutePattern): number {
  const isGreedy = ({ segments }: RoutePattern) => Number(segments.at(-1)?.kind === "greedy");
  const variables = ({ segments }: RoutePattern) => segments.filter(({ kind }) => kind === "variable").length;
  const shape = ({ segments }: RoutePattern) => segments.map(({ kind }) => SEGMENT_RANK[kind]).join("");
  const isAny = ({ method }: RoutePattern) => Number(method === "ANY");
  return (
    isGreedy(one) - isGreedy(other) ||
    // The number of variables does not rank greedy routes: /a/{b}/{rest+} is more specific than /a/{rest+}.
    (isGreedy(one) ? 0 : variables(one) - variables(other)) ||
    shape(one).localeCompare(shape(other)) ||
    isAny(one) - isAny(other)
  );
}

function matchSegments(pattern: readonly Segment[], path: readonly string[]): Record<string, string> | undefined {
  const values: [string, string][] = [];
  for (const [position, { kind, name }] of pattern.entries()) {
    const rest = kind === "greedy" ? path.slice(position).join("/") : undefined;
    const text = rest ?? path[position];
    if (kind === "static" ? text !== name : !text) return undefined;
    if (kind !== "static" && text) values.push([name, text]);
    if (rest) return Object.fromEntries(values);
  }
  return path.length === pattern.length ? Object.fromEntries(values) : undefined;
}
