import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import type { EndpointContract } from "../contract/endpoint.ts";
import { BodyTooLarge, type ErrorLocation, MalformedBody, ValidationFailed } from "./errors.ts";

/** The parts of a request, parsed by the schemas of its contract. */
export interface Input<C extends EndpointContract> {
  readonly params: z.output<C["params"]>;
  readonly query: z.output<C["query"]>;
  readonly body: z.output<NonNullable<C["body"]>>;
}

/**
 * Parses path, query and body by the contract.
 * @throws ValidationFailed with every refused location at once; BodyTooLarge; MalformedBody.
 */
export function parseRequest<C extends EndpointContract>(contract: C, event: APIGatewayProxyEventV2): Input<C> {
  const locations: ErrorLocation[] = [];
  const part = (where: string, schema: z.ZodType, value: unknown): unknown => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    locations.push(...parsed.error.issues.flatMap((issue) => toLocations(where, issue)));
    return undefined;
  };
  const params = part("path", contract.params, event.pathParameters ?? {});
  const query = part("query", contract.query, readQuery(contract.query, event.rawQueryString));
  const body = contract.body === undefined ? undefined : part("body", contract.body, readBody(contract, event));
  if (locations.length > 0) throw new ValidationFailed(locations);
  return { params, query, body } as Input<C>;
}

/** A query string as an object: a repeated key is an array where the schema has one, else its last value counts. */
function readQuery(schema: z.ZodObject, raw: string): Record<string, unknown> {
  const given = new URLSearchParams(raw);
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    const values = given.getAll(name);
    if (values.length > 0) read[name] = isArray(field) ? values : values.at(-1);
  }
  return read;
}

function isArray(field: z.ZodType): boolean {
  if (field instanceof z.ZodArray) return true;
  const wraps = field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault;
  return wraps && isArray(field.unwrap() as z.ZodType);
}

function readBody(contract: EndpointContract, event: APIGatewayProxyEventV2): unknown {
  const raw = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (raw.byteLength > contract.maxBodyBytes) {
    throw new BodyTooLarge(`The body is larger than ${contract.maxBodyBytes} bytes; send it in smaller parts.`);
  }
  if (raw.byteLength === 0) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
    return contract.mediaTypes ? text : JSON.parse(text);
  } catch (cause) {
    throw new MalformedBody(`The body is not ${contract.mediaTypes ? "text" : "valid JSON"} in UTF-8.`, { cause });
  }
}

/** Location, message and type of an issue. The messages speak of schemas, never of the value. */
function toLocations(where: string, issue: z.core.$ZodIssue): ErrorLocation[] {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ loc: [where, ...path, key], msg: "Unrecognized field", type: issue.code }));
  }
  return [{ loc: [where, ...path], msg: issue.message, type: issue.code }];
}
