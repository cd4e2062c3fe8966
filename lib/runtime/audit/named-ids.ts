import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import type { EndpointContract } from "../../contract/endpoint.ts";

const guid = z.guid();
const userIdField = z.object({ user_id: guid });
/** A path of FHIR names the user by the id of the Patient. */
const PATIENT_PATH = "/fhir/Patient/{id}";
/** Whether a path parameter names the user, whom an entry names by the digest alone. */
const namesUser = ({ path }: Pick<EndpointContract, "path">, name: string) =>
  name === "user_id" || name === "client_user_id" || (name === "id" && path.startsWith(PATIENT_PATH));

/** A request with its parsed parts. */
interface NamedCall {
  readonly contract: EndpointContract;
  readonly event: APIGatewayProxyEventV2;
  readonly input?: object;
}

interface Input {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Returns the user that a request names, or else the user of its credential, the holder. */
export function findUserId(
  { contract, event, input }: NamedCall,
  holder?: { readonly user_id: string },
): string | undefined {
  const { params, query, body }: Input = input ?? {};
  const patient = contract.path.startsWith(PATIENT_PATH) ? guid.safeParse(event.pathParameters?.id).data : undefined;
  const named = [params, query, body].map((part) => userIdField.safeParse(part).data?.user_id);
  return patient ?? named.find((id) => id !== undefined) ?? holder?.user_id;
}

const loggedId = z.union([z.guid(), z.string().regex(/^\d{1,20}$/)]);

/** Returns the ids and enum values of a path, except those of the user. Free text is left out: it may be personal data. */
export function loggedParameters(contract: EndpointContract, given: Readonly<Record<string, string | undefined>>) {
  const isListed = (name: string, value: string) =>
    enumOptions(contract.params.shape[name]).includes(value) || loggedId.safeParse(value).success;
  const target: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(given)) {
    if (!namesUser(contract, name) && isListed(name, value)) target[name] = value;
  }
  return target;
}

function enumOptions(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodEnum) return schema.options;
  return schema instanceof z.ZodDefault ? enumOptions(schema.unwrap()) : [];
}
