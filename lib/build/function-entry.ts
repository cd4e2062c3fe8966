import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { contracts } from "../../functions/index.ts";
import { effectiveGrants } from "../contract/access-log-mode.ts";
import type { EndpointContract } from "../contract/endpoint.ts";
import { entryFile } from "../contract/entry-file.ts";

type Contract = (typeof contracts)[number];

/** The table of factories that create dependencies, each with dynamic imports of its modules. */
export const DEPENDENCY_TABLE = "lib/runtime/dependency-table.ts";
/** The table of authenticators by kind. */
export const AUTHENTICATOR_TABLE = "lib/runtime/callers/authenticator-table.ts";

const quote = (file: string) => JSON.stringify(resolve(file));

/** The dependency table as text: what its factories share, and each factory by its dependency. */
interface DependencyTable {
  readonly shared: string;
  readonly factories: ReadonlyMap<string, string>;
}

/** Reads the table as text: a running factory would need the environment of its function. */
function readDependencyTable(): DependencyTable {
  const [shared = "", rest = ""] = readFileSync(DEPENDENCY_TABLE, "utf8").split("/**\n * Creates each dependency");
  const table = rest.split("export const factories = {")[1]?.split("\n};")[0] ?? "";
  const entries = table.split(/^(?= {2}\w+:)/m).filter((entry) => /^ {2}\w+:/.test(entry));
  return { shared, factories: new Map(entries.map((entry) => [entry.slice(2, entry.indexOf(":")), entry.trimEnd()])) };
}

let table: DependencyTable | undefined;

/**
 * Returns the module that the bundler enters for a function: its handler, with the factories of its grants and the
 * authenticator of its callers. Whatever they import becomes part of the function's file, because its first call needs
 * it. A function without a grant contains no code for it.
 */
export function functionEntry(contract: Contract): string {
  table ??= readDependencyTable();
  const { shared, factories } = table;
  const granted = new Set(effectiveGrants(contract).map(({ dependency }) => dependency));
  const own = [...granted].map((name) => factories.get(name)).filter((entry) => entry !== undefined);
  const code = `${shared}\nObject.assign(grantedFactories, {\n${own.join("\n")}\n});`;
  return [
    `import { factories as grantedFactories } from ${quote(DEPENDENCY_TABLE)};`,
    contract.kind === "endpoint" ? provideAuthenticator(contract) : "",
    importStatically(code, own.join("\n")),
    `export { handler } from ${quote(entryFile(contract))};`,
  ].join("\n");
}

/** Most operations of the management API accept keys only, so they contain nothing of sessions. */
const authenticatorOf = ({ auth, consoleRoles }: EndpointContract) =>
  auth === "management" && !consoleRoles ? "managementKey" : auth;

const provideAuthenticator = (contract: EndpointContract) =>
  `import { authenticators } from ${quote(AUTHENTICATOR_TABLE)};
   import * as kinds from ${quote("lib/runtime/callers/authenticators.ts")};
   Object.assign(authenticators, { ${contract.auth}: kinds.${authenticatorOf(contract)} });`;

/** Replaces dynamic imports of modules by static ones. Shared factories that no dependency uses stay out. */
function importStatically(code: string, used: string): string {
  const modules: string[] = [];
  const nameOf = (path: string) => {
    if (!modules.includes(path)) modules.push(path);
    return `module${modules.indexOf(path)}`;
  };
  const isUnused = (name: string) => !new RegExp(`: ${name}\\(`).test(used);
  const withoutUnused = ["oneTimeTokens", "queue", "bucket", "eventCheck"].reduce(
    (text, name) =>
      isUnused(name) ? text.replace(new RegExp(`^const ${name} = [\\s\\S]*?;\\n(?=\\n|$)`, "m"), "") : text,
    code.replace(/await eventCheck\(\)/g, "undefined"),
  );
  const body = withoutUnused
    .replaceAll(/\(await import\("([^"]+)"\)\)/g, (_, path) => nameOf(path))
    .replaceAll(/await import\("([^"]+)"\)/g, (_, path) => nameOf(path))
    .replaceAll(/import\("([^"]+)"\)/g, (_, path) => `Promise.resolve(${nameOf(path)})`);
  return [...modules.map((path, index) => `import * as module${index} from "${path}";`), body].join("\n");
}
