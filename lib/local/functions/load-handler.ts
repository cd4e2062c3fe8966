import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FunctionError } from "./function-error.ts";
import type { LambdaContext, LocalFunction } from "./lambda-context.ts";

export type LambdaHandler = (event: unknown, context: LambdaContext) => unknown;

/**
 * Imports the ES module of a function, `<directory>/index.mjs` for the handler `index.handler`. Node caches the module.
 * @throws FunctionError when the module cannot be loaded or lacks the export.
 */
export async function loadHandler({ directory, handler }: LocalFunction): Promise<LambdaHandler> {
  const dot = handler.lastIndexOf(".");
  const file = join(directory, `${handler.slice(0, dot)}.mjs`);
  const module: Record<string, unknown> = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new FunctionError("Runtime.ImportModuleError", `cannot import ${file}`, { cause });
  });
  const exported = module[handler.slice(dot + 1)];
  if (!isHandler(exported)) throw new FunctionError("Runtime.HandlerNotFound", `${handler} is not exported by ${file}`);
  return exported;
}

function isHandler(exported: unknown): exported is LambdaHandler {
  return typeof exported === "function";
}
