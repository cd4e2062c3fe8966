import type { RequestOptions, TestService } from "../support/service.ts";

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

/** Creates a matcher of each documented route, those with fewer variables first. */
function createMatchers(paths: DocumentedPaths): RouteMatcher[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      const pattern = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+");
      const variables = path.split("{").length - 1;
      return { name: `${method.toUpperCase()} ${path}`, method, pattern: new RegExp(`^${pattern}$`), variables };
    }),
  );
  return routes.toSorted((a, b) => a.variables - b.variables);
}

/** Records an example of each operation that a service answers. */
export class ExampleRecorder {
  /** Examples by method and path template. */
  readonly examples = new Map<string, OperationExample>();
  readonly #matchers: readonly RouteMatcher[];

  constructor(paths: DocumentedPaths) {
    this.#matchers = createMatchers(paths);
  }

  /** Records every successful call of a service from now on. */
  watch(service: TestService): void {
    for (const name of ["call", "manage"] as const) {
      const send = service[name].bind(service);
      const recorded = async (method: string, path: string, options: RequestOptions = {}) => {
        const answer = await send(method, path, options);
        if (answer.status >= 200 && answer.status < 300) this.#record(method, path, options.body, answer.body);
        return answer;
      };
      Object.assign(service, { [name]: recorded });
    }
  }

  #record(method: string, path: string, request: unknown, response: unknown): void {
    const [plainPath = ""] = path.split("?");
    const route = this.#matchers.find((one) => one.method === method.toLowerCase() && one.pattern.test(plainPath));
    if (!route) return;
    const example = { ...(isJson(request) ? { request } : {}), ...(isJson(response) ? { response } : {}) };
    const known = this.examples.get(route.name);
    if (known === undefined || weigh(example) > weigh(known)) this.examples.set(route.name, structuredClone(example));
  }
}

const isJson = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Longest example that a longer one may replace: a reader learns more from a list with an entry than from none. */
const ENOUGH_CHARACTERS = 600;

const weigh = (example: OperationExample): number => Math.min(JSON.stringify(example).length, ENOUGH_CHARACTERS);
