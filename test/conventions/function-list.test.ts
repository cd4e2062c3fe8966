import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consumers, contracts, endpoints } from "../../functions/index.ts";
import type { EndpointContract } from "../../lib/contract/endpoint.ts";
import { entryFile } from "../../lib/contract/entry-file.ts";

const files = globSync("functions/*/*.ts").toSorted();

/** The routes of a contract, each as method and segments. */
function routesOf({ operationId, method, path, aliases, params }: EndpointContract) {
  return [path, ...aliases].map((text) => ({ operationId, method, text, params, segments: text.split("/").slice(1) }));
}
const routes = endpoints.flatMap(routesOf);
const variablesOf = (path: string) => [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = ""]) => name);
const isVariable = (segment: string) => segment.startsWith("{");

/** Whether some path matches both routes. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  return one.every((segment, at) => segment === other[at] || isVariable(segment) || isVariable(other[at] ?? ""));
}

const shapeOf = (segments: readonly string[]) => segments.map((name) => (isVariable(name) ? "{}" : name)).join("/");

/** Whether a route accepts another route's segments as its parameters; otherwise it returns 422. */
function takes({ params, segments }: (typeof routes)[number], other: readonly string[]): boolean {
  const given = segments.flatMap((segment, at) =>
    isVariable(segment) && !isVariable(other[at] ?? "") ? [[segment.slice(1, -1), other[at]]] : [],
  );
  return params.partial().safeParse(Object.fromEntries(given)).success;
}

/** The shape of exactly the paths that match both routes. */
function meet(one: readonly string[], other: readonly string[]): string {
  return shapeOf(one.map((segment, at) => (isVariable(segment) ? (other[at] ?? "") : segment)));
}

describe("functions/index.ts", () => {
  test("lists every file below functions/ at the path of its contract's tag and operationId", () => {
    expect(contracts.map(entryFile).toSorted()).toEqual(files);
  });

  test("has unique operationIds", () => {
    const ids = contracts.map(({ operationId }) => operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test("contains only frozen contracts", () => {
    expect(contracts.filter((contract) => !Object.isFrozen(contract))).toEqual([]);
  });
});

describe("routes", () => {
  test("have a route of the exact shape for paths that two routes match, so that static segments win", () => {
    const shapes = routes.map(({ method, segments }) => `${method} ${shapeOf(segments)}`);
    expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([]);
    const pairs = routes.flatMap((one, at) => routes.slice(at + 1).map((other) => [one, other] as const));
    const clashing = pairs.filter(
      ([one, other]) =>
        one.method === other.method &&
        overlap(one.segments, other.segments) &&
        (takes(one, other.segments) || takes(other, one.segments)),
    );
    const unclear = clashing.filter(
      ([one, other]) => !shapes.includes(`${one.method} ${meet(one.segments, other.segments)}`),
    );
    expect(unclear.map(([one, other]) => `${one.method} ${one.text} and ${other.text}`)).toEqual([]);
  });

  test("have the variables of their schema, also in aliases", () => {
    for (const { path, aliases, params } of endpoints) {
      const names = Object.keys(params.shape);
      expect(variablesOf(path).toSorted(), path).toEqual(names.toSorted());
      for (const alias of aliases) expect(names, alias).toEqual(expect.arrayContaining(variablesOf(alias)));
    }
  });

  test("have the version of their interface in the path", () => {
    // Insurance is stored for users in interface v2, and looked up for orders in interface v3.
    const laboratory = {
      "lab-tests": ["v3"],
      compendium: ["v3"],
      places: ["v3"],
      orders: ["v3"],
      appointments: ["v3"],
      "order-documents": ["v3"],
      results: ["v3"],
      "unmatched-results": ["v3"],
      insurance: ["v2", "v3"],
      "lab-reports": ["lab_report"],
      // The protocol of agents has versions of its own, and RFC 9728 sets the path of the metadata.
      agents: ["mcp", ".well-known"],
      // Queries have a separate interface; priorities belong to the team's interface.
      aggregation: ["aggregate", "v2"],
      // The CapabilityStatement states the version.
      fhir: ["fhir"],
      // The page and the routes of its sessions and plots change together.
      console: ["console"],
    };
    const versionsOf = (tag: string): unknown =>
      tag.startsWith("management") ? ["v1"] : (Reflect.get(laboratory, tag) ?? ["v2"]);
    const versioned = endpoints.filter(({ tag, path }) => tag !== "service" && path !== "/logos/{file}");
    for (const { tag, path } of versioned) expect(versionsOf(tag), path).toContain(path.split("/")[1]);
  });

  test("start with /v1/org exactly if they need a management key", () => {
    for (const { auth, path } of endpoints) expect(path.startsWith("/v1/org/"), path).toBe(auth === "management");
  });
});

describe("contracts", () => {
  test("declare their own errors with distinct codes and permanent 4xx statuses", () => {
    const shared = ["malformed_body", "unauthorized", "body_too_large", "validation_failed", "unavailable"];
    for (const { operationId, errors, auth } of endpoints) {
      // A route without a declared credential may authenticate its calls itself.
      const declarable = auth === "none" ? ["unauthorized"] : [];
      const codes = errors.map(({ code }) => code);
      expect([...new Set(codes)], operationId).toEqual(codes);
      expect(
        codes.filter((code) => shared.includes(code) && !declarable.includes(code)),
        operationId,
      ).toEqual([]);
      for (const { status } of errors) expect(status, operationId).toBeOneOf([400, 401, 403, 404, 405, 409]);
    }
  });

  test("use the same status for the same code everywhere", () => {
    const kinds = endpoints.flatMap(({ errors }) => errors.map(({ code, status }) => `${code} ${status}`));
    const codes = [...new Set(kinds)].map((kind) => kind.split(" ")[0]);
    expect([...new Set(codes)]).toEqual(codes);
  });

  test("read a body only if the method has one", () => {
    const withBody = endpoints.filter(({ body }) => body !== undefined);
    expect(withBody.filter(({ method }) => !["POST", "PUT", "PATCH"].includes(method))).toEqual([]);
  });

  test("grant each action once", () => {
    for (const { operationId, access } of contracts) {
      const grants = access.map((grant) => JSON.stringify(grant));
      expect([...new Set(grants)], operationId).toEqual(grants);
    }
  });

  test("end before API Gateway's timeout of 30 seconds", () => {
    expect(endpoints.filter(({ timeoutS }) => timeoutS > 29)).toEqual([]);
  });

  test("have a summary of one short sentence", () => {
    for (const { summary } of [...endpoints, ...consumers]) expect(summary).toMatch(/^[A-Z][^.]{5,78}[^.]$/);
  });
});
