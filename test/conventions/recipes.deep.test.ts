// @module-tag deep
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyRecipe } from "./recipes/apply-recipe.ts";
import { copySources } from "./recipes/copy-sources.ts";
import type { ServiceDescription } from "./recipes/describe-service.ts";
import { type Recipe, readRecipes } from "./recipes/read-recipes.ts";

const recipes = readRecipes(readFileSync("CONTRIBUTING.md", "utf8"));
const touched = recipes.flatMap(({ excerpts }) => excerpts.map(({ file }) => file));
const newFilesOf = ({ rows }: Recipe) => rows.filter(({ isNew }) => isNew).map(({ file }) => file);

/** The tests that hold the lists, pages and registers that a recipe changes, and the test that a recipe adds. */
const TESTS = [
  ...["audited-calls", "data-inventory", "events-page", "function-list", "key-scopes"].map(
    (name) => `test/conventions/${name}.test.ts`,
  ),
  ...["connections/source", "connectors/stride", "events/catalogue"].map((name) => `test/unit/${name}.test.ts`),
];
/** Time limit of one child process. All of them together need about half a minute of one core. */
const LIMIT_MS = 10 * 60_000;

describe("CONTRIBUTING.md", () => {
  test("has a recipe for an endpoint, a provider, an event type, a table, a field and a column", () => {
    expect(recipes.map(({ title }) => title)).toEqual([
      "Add an endpoint",
      "Add a provider",
      "Add an event type",
      "Add a table (or entity)",
      "Add a field to a summary",
      "Add a column to queries",
    ]);
  });

  test.each(recipes)("lists and counts exactly the files of the recipe: $title", ({ counts, rows, excerpts }) => {
    const countOf = (kind: string) => rows.filter((row) => row.kind === kind).length;
    expect({ code: countOf("code"), page: countOf("page"), test: countOf("test") }).toEqual(counts);
    expect(counts.code).toBeLessThanOrEqual(6);
    expect(excerpts.map(({ file, kind }) => [file, kind === "new file"])).toEqual(
      rows.map(({ file, isNew }) => [file, isNew]),
    );
  });

  test.each(recipes)("needs no file of another recipe: $title", (recipe) => {
    const text = recipe.excerpts.map((excerpt) => excerpt.text).join("\n");
    const others = recipes.filter((one) => one !== recipe).flatMap(newFilesOf);
    expect(others.filter((file) => text.includes(`/${basename(file)}"`))).toEqual([]);
  });
});

describe("an excerpt", () => {
  const apply = (file: string, text: string) => {
    const directory = mkdtempSync(join(tmpdir(), "tributary-recipes-"));
    try {
      writeFileSync(join(directory, "a.ts"), "one\none\ntwo\n");
      applyRecipe(directory, { excerpts: [{ file, kind: "changes", text }] });
      return readFileSync(join(directory, "a.ts"), "utf8");
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  test("changes the one place that it fits", () => {
    expect(apply("a.ts", " one\n-two\n+three\n+four\n")).toBe("one\none\nthree\nfour\n");
  });

  test.each([
    ["fits no place", "a.ts", " three\n+four\n", "0 places"],
    ["fits two places", "a.ts", " one\n+two\n", "2 places"],
    ["names a file that does not exist", "b.ts", " one\n+two\n", "no file that exists"],
  ])("is refused if it %s", (_, file, text, message) => {
    expect(() => apply(file, text)).toThrow(message);
  });
});

describe("all recipes, played together on a copy of the repository", () => {
  let directory = "";
  let service: ServiceDescription;

  /** Runs Node in the copy, without the settings of vitest. */
  function run(...argv: readonly string[]): Promise<{ readonly stdout: string; readonly failure: string | null }> {
    const isOfVitest = (name: string) => /^(?:VITEST|NODE_ENV$|FORCE_COLOR$)/.test(name);
    const inherited = Object.entries(process.env).filter(([name]) => !isOfVitest(name));
    const env = { ...Object.fromEntries(inherited), NO_COLOR: "1" };
    const options = { cwd: directory, env, maxBuffer: 1 << 26, timeout: LIMIT_MS };
    return new Promise((resolve) =>
      execFile(process.execPath, argv, options, (error, stdout, stderr) =>
        resolve({ stdout, failure: error && `${error.message}\n${stdout}\n${stderr}` }),
      ),
    );
  }
  const bin = (path: string) => `node_modules/${path}`;

  beforeAll(async () => {
    directory = copySources();
    for (const recipe of recipes) applyRecipe(directory, recipe);
    const { stdout, failure } = await run("test/conventions/recipes/describe-service.ts");
    expect(failure).toBeNull();
    service = JSON.parse(stdout);
  }, LIMIT_MS);
  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));

  test("give the endpoint a contract, an operation, a route and a function", () => {
    expect(service.files).toContain("functions/users/get-ingestion-bounds.ts");
    expect(service.operations).toContain("GET /v2/user/{user_id}/ingestion/bounds");
    expect(service.routes).toContain("GET /v2/user/{user_id}/ingestion/bounds");
    expect(service.functions).toContainEqual(expect.stringMatching(/^getIngestionBoundsFunction/));
  });

  test("give the provider a connector, a simulator and a place among the values of OpenAPI", () => {
    expect(service.connector).toBe("stride");
    expect(service.simulators).toContain("stride");
    expect(service.sourceSchema).toContain('"stride"');
  });

  test("give the event a webhook and a rule of the bus, and its sender the right to write it", () => {
    expect(service.webhooks).toContain("labtest.insurance.created");
    expect(service.rulesOfEvent).toContainEqual(expect.stringContaining("Webhookslabtest"));
    expect(service.eventActions).toContain("dynamodb:PutItem");
  });

  test("give the entity a table, and the erasure of users the right to delete its items", () => {
    expect(service.tables).toContainEqual(expect.stringMatching(/^Tablereminders/));
    expect(service.erasureActions.toSorted()).toEqual(["dynamodb:BatchWriteItem", "dynamodb:Query"]);
  });

  test("give the field to ingestion, responses, events and OpenAPI, and the column to queries", () => {
    for (const [place, names] of Object.entries(service.bodyNames))
      expect(names, place).toContain("hip_circumference_centimeter");
  });

  test("compile", { timeout: LIMIT_MS }, async () => {
    writeFileSync(
      join(directory, "tsconfig.recipes.json"),
      JSON.stringify({
        extends: "./tsconfig.json",
        include: ["lib", "functions"],
        files: touched.filter((file) => file.endsWith(".ts")),
      }),
    );
    const { failure } = await run(bin("typescript/bin/tsc"), "--singleThreaded", "-p", "tsconfig.recipes.json");
    expect(failure).toBeNull();
  });

  test("are formatted, and hold the import rules", { timeout: LIMIT_MS }, async () => {
    const { failure } = await run(bin("@biomejs/biome/bin/biome"), "ci", ...touched.filter((file) => /ts$/.test(file)));
    expect(failure).toBeNull();
  });

  test("pass the tests of lists, pages and registers", { timeout: LIMIT_MS }, async () => {
    const options = ["run", "--config", "test/vitest.config.ts", "--maxWorkers=1", "--reporter=dot"];
    const { failure } = await run(bin("vitest/vitest.mjs"), ...options, ...TESTS);
    expect(failure).toBeNull();
  });
});
