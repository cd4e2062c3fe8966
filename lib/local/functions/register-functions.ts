import type { ResolvedAssembly } from "../template/read-assembly.ts";
import { readAliases, readFunctions } from "../template/read-functions.ts";
import type { FunctionHost } from "./function-host.ts";

/** Registers the functions of the templates, and the aliases that a deployment with gradual releases invokes. */
export function registerFunctions(host: FunctionHost, assembly: ResolvedAssembly): void {
  const functions = readFunctions(assembly);
  for (const fn of functions) host.register(fn);
  for (const { arn, fn } of readAliases(assembly, functions)) host.aliases.point(arn, fn);
}
