import * as z from "zod";
import type { LocalFunction } from "../functions/lambda-context.ts";
import type { ResolvedAssembly } from "./read-assembly.ts";
import { ofType } from "./resources-of-type.ts";

const lambda = z.object({
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).default({ Variables: {} }),
});

/** Reads the functions of the templates. */
export function readFunctions(assembly: ResolvedAssembly): LocalFunction[] {
  return ofType(assembly, "AWS::Lambda::Function", lambda).map(({ name, arn = "", read }) => ({
    name,
    arn,
    directory: assembly.asset(read.Code.S3Key),
    handler: read.Handler,
    environment: read.Environment.Variables,
    timeoutS: read.Timeout,
    memoryMb: read.MemorySize,
  }));
}

const alias = z.object({ FunctionName: z.string(), FunctionVersion: z.string() });

/** Reads the aliases of functions, each with the version that it invokes. @param all the functions of the templates. */
export function readAliases(
  assembly: ResolvedAssembly,
  all = readFunctions(assembly),
): { readonly arn: string; readonly fn: LocalFunction }[] {
  const functions = new Map(all.map((fn) => [fn.name, fn]));
  return ofType(assembly, "AWS::Lambda::Alias", alias).map(({ ref = "", read }) => {
    const fn = functions.get(read.FunctionName);
    if (!fn) throw new Error(`the alias ${ref} has no function ${read.FunctionName}`);
    return { arn: ref, fn: { ...fn, version: read.FunctionVersion } };
  });
}
