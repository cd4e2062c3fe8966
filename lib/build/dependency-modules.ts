import { readFileSync } from "node:fs";
import { posix } from "node:path";

/** The table of factories that create dependencies, each with dynamic imports of its modules. */
export const DEPENDENCY_TABLE = "lib/runtime/dependency-table.ts";

/** Modules that a factory imports through a shared constructor instead of naming them. */
const constructors: Readonly<Record<string, string>> = { queue: "./aws/queue.ts", bucket: "./aws/bucket.ts" };
/** Name of the dead-letter queue among the dependencies. The wiring of a consumer provides it without a grant. */
export const DEAD_LETTERS = "deadLetters";

/**
 * The modules that each dependency imports when it is created, by the dependency's name. The table is read as text: a
 * running factory would need the environment of its function.
 */
export function dependencyModules(source = readFileSync(DEPENDENCY_TABLE, "utf8")): ReadonlyMap<string, string[]> {
  const table = source.split("export const factories = {")[1]?.split("\n};")[0] ?? "";
  const entries = table.split(/^(?= {2}\w+:)/m).filter((entry) => /^ {2}\w+:/.test(entry));
  const modules = entries.map((entry) => [entry.slice(2, entry.indexOf(":")), modulesOf(entry)] as const);
  return new Map([...modules, [DEAD_LETTERS, [resolve("./aws/queue.ts")]]]);
}

function modulesOf(entry: string): string[] {
  const imported = [...entry.matchAll(/import\("([^"]+)"\)/g)].map(([, path = ""]) => path);
  const constructed = /^ {2}\w+: (\w+)\(/.exec(entry)?.[1] ?? "";
  return [...imported, ...(constructors[constructed] === undefined ? [] : [constructors[constructed]])].map(resolve);
}

const resolve = (path: string) => posix.join(posix.dirname(DEPENDENCY_TABLE), path);
