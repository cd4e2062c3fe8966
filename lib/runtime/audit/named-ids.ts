import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { type GivenParts, userParametersOf } from "../../contract/user-parameters.ts";

const guid = z.guid();
const userIdField = z.object({ user_id: guid });

/** A request with its parsed parts. */
interface NamedCall {
  readonly contract: EndpointContract;
  readonly event: APIGatewayProxyEventV2;
  readonly input?: GivenParts;
}

/** Returns the user that a request names, or else the user of its credential, the holder. */
export function findUserId(
  { contract: { userParameters = {} }, event, input = {} }: NamedCall,
  holder?: { readonly user_id: string },
): string | undefined {
  const declared = Object.keys(userParameters).map((name) => guid.safeParse(event.pathParameters?.[name]).data);
  const { params, query, body } = input;
  const named = [params, query, body].map((part) => userIdField.safeParse(part).data?.user_id);
  return [...declared, ...named].find((id) => id !== undefined) ?? holder?.user_id;
}

const loggedId = z.union([z.guid(), z.string().regex(/^\d{1,20}$/)]);

/** Returns the ids and enum values of a path, except those of the user. Free text is left out: it may be personal data. */
export function loggedParameters(contract: EndpointContract, given: Readonly<Record<string, string | undefined>>) {
  const isListed = (name: string, value: string) =>
    enumOptions(contract.params.shape[name]).includes(value) || loggedId.safeParse(value).success;
  const ways = userParametersOf(contract);
  const target: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(given)) {
    if (!Object.hasOwn(ways, name) && isListed(name, value)) target[name] = value;
  }
  return target;
}

function enumOptions(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodEnum) return schema.options;
  return schema instanceof z.ZodDefault ? enumOptions(schema.unwrap()) : [];
}
