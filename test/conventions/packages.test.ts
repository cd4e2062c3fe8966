import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  scripts: versions,
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const lockedPackage = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  inBundle: z.boolean().default(false),
  dependencies: versions,
  optionalDependencies: versions,
});
const lockFile = z.object({ packages: z.record(z.string(), lockedPackage) });

const { scripts, ...pins } = manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
const { packages } = lockFile.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const all = { ...pins.dependencies, ...pins.devDependencies, ...pins.optionalDependencies };
/** DuckDB numbers the builds of one version of its engine. */
const exact = /^\d+\.\d+\.\d+(-r\.\d+)?$/;

/** Paths where Node looks for a package that the package at `from` imports, nearest first. */
function candidates(from: string, name: string): string[] {
  const parents = from.split("/node_modules/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
  return [
    ...parents
      .filter((parent) => parent !== "")
      .map((parent) => `${parent}/node_modules/${name}`)
      .reverse(),
    `node_modules/${name}`,
  ];
}

describe("package.json", () => {
  test("pins exact versions", () => {
    expect(Object.entries(all).filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  test("runs only existing files", () => {
    const files = Object.values(scripts).flatMap((script) => script.match(/\S+\.m?[tj]s\b/g) ?? []);
    expect([...new Set(files)].filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe("docs/dependencies.md", () => {
  const rows = readFileSync("docs/dependencies.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  /** Whether a row names a package: one row may list several of a scope, and `*` stands for all of a scope. */
  const isNamed = (name: string, cell: string) => {
    const named = cell.replace(/ \(.*\)$/, "").split(", ");
    const scope = named[0]?.startsWith("@") ? named[0].split("/")[0] : undefined;
    return named.some(
      (one) => one === name || `${scope}/${one}` === name || (/\*$/.test(one) && name.startsWith(one.slice(0, -1))),
    );
  };
  const rowsOf = (name: string) => rows.filter(([, cell = ""]) => isNamed(name, cell));

  test("has a row for every dependency", () => {
    expect(Object.keys(all).filter((name) => rowsOf(name).length === 0)).toEqual([]);
  });

  test("names the licence that each package states", () => {
    const stated = (name: string) => packages[`node_modules/${name}`]?.license?.match(/MIT|ISC|[A-Z][\w.-]*\d/g) ?? [];
    const silent = Object.keys(all).filter((name) => stated(name).length === 0);
    // In order: a separate licence file; none at all; a separate licence file.
    expect(silent).toEqual(["@lhncbc/ucum-lhc", "@junction-api/sdk", "dejavu-fonts-ttf"]);
    const wrong = Object.keys(all).flatMap((name) =>
      stated(name)
        .filter((licence) => !rowsOf(name).every((row) => row.join("|").includes(licence)))
        .map((licence) => `${name} is under ${licence}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** The package whose archive contains a bundled package. */
function bundlerOf(path: string): z.output<typeof lockedPackage> | undefined {
  if (!packages[path]?.inBundle) return undefined;
  const outer = path.slice(0, path.lastIndexOf("/node_modules/"));
  return packages[outer]?.inBundle ? bundlerOf(outer) : packages[outer];
}

describe("package-lock.json", () => {
  const entries = Object.entries(packages).filter(([path]) => path !== "");

  test("contains the versions that package.json pins", () => {
    for (const [name, version] of Object.entries(all))
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
  });

  test("contains every dependency of every package, including those of other platforms", () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !candidates(path, name).some((candidate) => candidate in packages))
        .map((name) => `${path} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("contains no registry URL, so that any registry can serve it", () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(readFileSync("package-lock.json", "utf8")).not.toMatch(/"(?:resolved|registry)":/);
  });

  test("has the checksum of every package, including those of other platforms; a bundled one is covered by its bundler's", () => {
    const unchecked = entries.filter(([path, { integrity }]) => !(integrity ?? bundlerOf(path)?.integrity));
    expect(unchecked.map(([path]) => path)).toEqual([]);
    const weak = entries.filter(([, { integrity = "sha512-" }]) => !integrity.startsWith("sha512-"));
    expect(weak.map(([path]) => path)).toEqual([]);
  });

  test("contains one exact version of every package", () => {
    const loose = entries.filter(([, { version = "" }]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version));
    expect(loose.map(([path]) => path)).toEqual([]);
  });
});
