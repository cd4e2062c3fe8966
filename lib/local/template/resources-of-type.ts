import type * as z from "zod";
import type { ResolvedAssembly, ResolvedResource } from "./read-assembly.ts";

/** The resources of one type, with their properties parsed by a schema. */
export function ofType<S extends z.ZodType>(
  assembly: ResolvedAssembly,
  type: string,
  schema: S,
): (ResolvedResource & { read: z.output<S> })[] {
  return assembly.resources
    .filter((resource) => resource.type === type)
    .map((resource) => ({ ...resource, read: schema.parse(resource.properties) }));
}
