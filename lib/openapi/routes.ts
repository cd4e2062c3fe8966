import * as z from "zod";
import type { EndpointContract } from "../contract/endpoint.ts";

/** A documented route of a contract. */
export interface DocumentedRoute {
  readonly contract: EndpointContract;
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly response: z.ZodType;
}

/** The values of an enum schema, with or without default. */
function listEnumValues(schema: z.ZodType | undefined): unknown {
  return schema instanceof z.ZodDefault ? listEnumValues(schema.unwrap() as z.ZodType) : (schema as z.ZodEnum).options;
}

/** OpenAPI has no variable for several segments, `{name+}`: the document shows it as an ordinary one. */
const withoutGreedyVariable = (path: string) => path.replace("+}", "}");

/** Lists the routes of a contract: its path and aliases, or one per value of the expanded parameter. */
export function expandRoutes(contract: EndpointContract): DocumentedRoute[] {
  const { expand, params, response, operationId, summary } = contract;
  const paths = [contract.path, ...contract.aliases].map(withoutGreedyVariable);
  if (!expand) {
    const nameAt = (place: number) => (place === 0 ? operationId : `${operationId}_${place + 1}`);
    return paths.map((path, place) => ({ contract, operationId: nameAt(place), path, summary, params, response }));
  }
  const rest = Object.entries<z.ZodType>(params.shape).filter(([name]) => name !== expand.param);
  const options = z.array(z.string()).parse(listEnumValues(params.shape[expand.param]));
  return options.map((value) => ({
    contract,
    operationId: `${operationId}_${value}`,
    path: contract.path.replace(`{${expand.param}}`, value),
    summary: `${summary}: ${value.replaceAll("_", " ")}`,
    params: z.object(Object.fromEntries(rest)),
    response: expand.response(value),
  }));
}
