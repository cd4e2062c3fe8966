import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");
const [, section = ""] = read("docs/deploy.md").split("\n## What a deployment begins with\n");
const rows = section.split("\n## ")[0] ?? "";

/** The routes that are called, with the names of their parameters for what is filled in. */
const routesIn = (source: string): string[] =>
  [...source.matchAll(/`\$\{(?:client\.)?(?:baseUrl|managementUrl)\}(\/[^`?]+)`/g)].map(([, path = ""]) =>
    path
      .replace("/sandbox/us", "/{env}/{region}")
      .replace("/sandbox", "/{env}")
      .replaceAll(/\$\{(?:identity\.)?(\w+)\}/g, (_, name) => `{${name === "userId" ? "user_id" : name}}`),
  );

describe("what a deployment begins with, in docs/deploy.md,", () => {
  const routes = routesIn(read("lib/start/first-data.ts")).filter((route) => !route.startsWith("/_local"));
  test("is looked for among all calls of a start", () => expect(routes.length).toBeGreaterThan(7));
  test.each(routes)("has the route that npm start calls: %s", (route) => expect(rows).toContain(`POST ${route}\``));

  const [, environment = ""] = /environment: \{((?:.|\n)+?)\n\s+\},/.exec(read("lib/local/local-service.ts")) ?? [];
  const variables = [...environment.matchAll(/^\s+([A-Z_]+):/gm)].map(([, name]) => name);
  test("is looked for among all variables", () => expect(variables.length).toBeGreaterThan(4));
  test.each(variables)("has what npm start alone gives functions: %s", (name) => expect(rows).toContain(`\`${name}\``));

  test("has all that npm start writes into tables by itself", () => {
    const written = [...read("lib/start/start-service.ts").matchAll(/await (write\w+)\(/g)].map(([, name]) => name);
    expect(written).toEqual(["writeFirst", "writeFirstOrg"]);
    const first =
      /async function writeFirstOrg\(.+\{\n((?:.|\n)+?)\n\}/.exec(read("lib/runtime/bootstrap.ts"))?.[1] ?? "";
    expect(
      [...first.matchAll(/new (\w+Store)|(write\w+)\(directory/g)].map(([, store, write]) => store ?? write),
    ).toEqual(["writeOrg", "TeamStore", "writeFirstKey"]);
  });
});
