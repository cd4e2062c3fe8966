import type { TestService } from "../support/service.ts";

/** A request body and a response body of an operation, as the running service accepted and returned them. */
export interface OperationExample {
  readonly request?: unknown;
  readonly response?: unknown;
}

/** The documented routes: methods by path template. */
export type DocumentedPaths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface RouteMatcher {
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly variables: number;
}

/** The documents themselves are no examples of responses. */
const excluded = ["GET /openapi.json", "GET /asyncapi.json"];

/** Creates a matcher of each documented route, those with fewer variables first. */
function createMatchers(paths: DocumentedPaths): RouteMatcher[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      const pattern = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
      const variables = path.split("{").length - 1;
      return { name: `${method.toUpperCase()} ${path}`, method, pattern: new RegExp(`^${pattern}$`), variables };
    }),
  );
  return routes.filter(({ name }) => !excluded.includes(name)).toSorted((a, b) => a.variables - b.variables);
}

/** Records an example of each operation that a service answers. */
export class ExampleRecorder {
  /** Examples by method and path template. */
  readonly examples = new Map<string, OperationExample>();
  readonly #matchers: readonly RouteMatcher[];

  constructor(paths: DocumentedPaths) {
    this.#matchers = createMatchers(paths);
  }

  /** Records every successful request to a service from now on. @returns what ends the recording. */
  watch({ baseUrl, started }: TestService): () => void {
    const origins = [baseUrl, started.service.managementUrl].map((url) => new URL(url).origin);
    const send = globalThis.fetch;
    const recorded: typeof fetch = async (input, init) => {
      const response = await send(input, init);
      const url = new URL(input instanceof Request ? input.url : input);
      if (response.ok && origins.includes(url.origin))
        this.#record(init?.method ?? "GET", url.pathname, parse(init?.body), parse(await response.clone().text()));
      return response;
    };
    globalThis.fetch = recorded;
    return () => {
      globalThis.fetch = send;
    };
  }

  #record(method: string, path: string, request: unknown, response: unknown): void {
    const route = this.#matchers.find((one) => one.method === method.toLowerCase() && one.pattern.test(path));
    if (!route) return;
    const example = { ...(request === undefined ? {} : { request }), ...(response === undefined ? {} : { response }) };
    const known = this.examples.get(route.name) ?? {};
    const [less, more] = weigh(example) > weigh(known) ? [known, example] : [example, known];
    this.examples.set(route.name, { ...less, ...more });
  }
}

/** The JSON object or list of a body; undefined for any other body. */
function parse(body: unknown): unknown {
  try {
    const value: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Characters from which an example is long enough: a list with an entry shows more than an empty one. */
const ENOUGH_CHARACTERS = 600;

const weigh = (example: OperationExample): number => Math.min(JSON.stringify(example).length, ENOUGH_CHARACTERS);
