import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../../functions/index.ts";
import { consolePathOf } from "../../../../../lib/contract/console/console-path.ts";
import { TestService } from "../../../../support/service.ts";

type Json = Record<string, unknown>;
interface Documented {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Json;
  readonly security: readonly Json[];
}

let service: TestService;
let document: Json & {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Json; securitySchemes: Json };
};
beforeAll(async () => {
  service = await TestService.start();
  document = (await service.call("GET", "/openapi.json", { key: null })).body;
});
afterAll(() => service.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

function* refsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (name === "$ref" && typeof part === "string") yield part;
    else yield* refsIn(part);
  }
}

test("the document is OpenAPI 3.1, and the management API serves the same one", { tags: "deep" }, async () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  expect((await service.manage("GET", "/openapi.json", { key: null })).body).toEqual(document);
});

test("the document contains every route of the templates but those that the console alone calls", {
  tags: "deep",
}, async () => {
  const { body } = await service.call("GET", "/_local/resources");
  const ofConsole = endpoints.map((contract) => `${contract.method} ${consolePathOf(contract)}`);
  const routes: string[] = body.routes
    .map(({ route }: { route: string }) => route)
    .filter((key: string) => key !== "$default" && !ofConsole.includes(key));
  const shapes = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const matches = (route: string, shape: string) => new RegExp(`^${route.replace(/\{\w+\}/g, "[^/]+")}$`).test(shape);
  expect(routes.filter((route) => !shapes.some((shape) => matches(route, shape)))).toEqual([]);
  expect(shapes.filter((shape) => !routes.some((route) => matches(route, shape)))).toEqual([]);
});

test("operation ids are unique, and every reference resolves", () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(ids.length - new Set(ids).size).toBe(0);
  const found = (ref: string) =>
    ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, name) => (at as Json)?.[name], document);
  const broken = [...refsIn(document)].filter((ref) => found(ref) === undefined);
  expect(broken).toEqual([]);
});

test("every operation declares its path parameters, success response, credentials and refusals", () => {
  for (const { path, operation } of operations()) {
    const declared = operation.parameters.filter((one) => one.in === "path" && one.required).map(({ name }) => name);
    expect([path, declared.sort()]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()]);
    const statuses = Object.keys(operation.responses);
    expect(statuses.some((status) => status.startsWith("2"))).toBe(true);
    // FHIR and JSON-RPC have other statuses for malformed requests.
    expect(statuses).toContain(/^\/(fhir|mcp)\b/.test(path) ? "400" : "422");
    for (const scheme of operation.security.flatMap(Object.keys)) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
      expect(statuses).toContain("401");
    }
  }
});
