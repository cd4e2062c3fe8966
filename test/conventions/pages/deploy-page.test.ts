import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");
const [, section = ""] = read("docs/deploy.md").split("\n## What a deployment begins with\n");
const rows = section.split("\n## ")[0] ?? "";

/** Routes of the calls in a source text, with parameter names in place of values. */
const routesIn = (source: string): string[] =>
  [...source.matchAll(/`\$\{(?:client\.)?(?:baseUrl|managementUrl)\}(\/[^`?]+)`/g)].map(([, path = ""]) =>
    path
      .replace("/sandbox/us", "/{env}/{region}")
      .replace("/sandbox", "/{env}")
      .replaceAll(/\$\{(?:identity\.)?(\w+)\}/g, (_, name) => `{${name === "userId" ? "user_id" : name}}`),
  );

describe("the initial data of a deployment in docs/deploy.md", () => {
  const routes = routesIn(read("lib/start/seed-data.ts")).filter((route) => !route.startsWith("/_local"));
  test("is compared with all calls of npm start", () => expect(routes.length).toBeGreaterThan(7));
  test.each(routes)("includes the route that npm start calls: %s", (route) =>
    expect(rows).toContain(`POST ${route}\``),
  );

  const [, environment = ""] = /environment: \{((?:.|\n)+?)\n\s+\},/.exec(read("lib/local/local-service.ts")) ?? [];
  const variables = [...environment.matchAll(/^\s+([A-Z_]+):/gm)].map(([, name]) => name);
  test("is compared with all variables", () => expect(variables.length).toBeGreaterThan(4));
  test.each(variables)("includes the variable that only npm start sets: %s", (name) =>
    expect(rows).toContain(`\`${name}\``),
  );

  test("includes everything that npm start itself writes to tables", () => {
    const written = [...read("lib/start/start-service.ts").matchAll(/await ((?:write|seed)\w+)\(/g)].map(
      ([, name]) => name,
    );
    expect(written).toEqual(["seedFirstOrg", "writeFirstOrg"]);
    const first =
      /async function writeFirstOrg\(.+\{\n((?:.|\n)+?)\n\}/.exec(read("lib/services/management/bootstrap.ts"))?.[1] ??
      "";
    expect(
      [...first.matchAll(/new (\w+Store)|(write\w+)\(directory/g)].map(([, store, write]) => store ?? write),
    ).toEqual(["writeOrg", "TeamStore", "writeFirstKey"]);
  });
});
