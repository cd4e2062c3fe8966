import { resolve } from "node:path";
import type { Plugin } from "esbuild";
import { contracts } from "../../../functions/index.ts";
import { AUTHENTICATOR_TABLE, DEPENDENCY_TABLE, functionEntry } from "../function-entry.ts";

/** Prefix of the modules by which the bundler enters functions. */
export const FUNCTION_ENTRY = "function:";

/** Tables that each function fills with its own parts, and the name of their export. */
const TABLES = { [DEPENDENCY_TABLE]: "factories", [AUTHENTICATOR_TABLE]: "authenticators" } as const;

/** A package or data that code imports when it first needs it. */
const LAZY = /^[^./]|\.json$/;

/** The module that a deployment with team credentials has beside the functions of a team's routes. */
export const TEAM_CREDENTIALS_FILE = "team-credentials.mjs";

/** The file beside a function that contains a lazily imported package or data file. */
const lazyFileName = (specifier: string) =>
  `${specifier.replace(/^[./]*|\.(json|js)$/g, "").replaceAll(/[^\w-]+/g, "-")}.mjs`;

/**
 * Generates the entry of each function, and keeps apart what few calls need: a package or data that code imports
 * dynamically is a file of its own, and so is the module that only a deployment with team credentials contains.
 * @param lazy receives the lazily imported packages and data, by the name of their file.
 */
export function functionPartsPlugin(lazy: Map<string, string>): Plugin {
  const byId = new Map(contracts.map((contract) => [contract.operationId as string, contract]));
  return {
    name: "function-parts",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^function:/ }, ({ path }) => ({
        path: path.slice(FUNCTION_ENTRY.length),
        namespace: "function",
      }));
      onLoad({ filter: /.*/, namespace: "function" }, ({ path }) => {
        const contract = byId.get(path);
        if (!contract) throw new Error(`no function is called ${path}`);
        return { contents: functionEntry(contract), loader: "ts", resolveDir: resolve("lib/runtime") };
      });
      for (const [file, name] of Object.entries(TABLES))
        onLoad({ filter: new RegExp(`${file.replaceAll(".", "\\.")}$`) }, () => ({
          contents: `export const ${name} = {};`,
        }));
      onResolve({ filter: /\/team-credentials\.ts$/ }, ({ kind }) =>
        kind === "dynamic-import" ? { path: `./${TEAM_CREDENTIALS_FILE}`, external: true } : undefined,
      );
      onResolve({ filter: LAZY }, ({ path, kind, resolveDir }) => {
        if (kind !== "dynamic-import" || path.startsWith("node:") || resolveDir.includes("node_modules"))
          return undefined;
        const name = lazyFileName(path);
        lazy.set(name, path.startsWith(".") ? resolve(resolveDir, path) : path);
        return { path: `./${name}`, external: true };
      });
    },
  };
}
