import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { BodyTooLarge, type ErrorLocation, MalformedBody, ValidationFailed } from "../errors.ts";

/** Maximum nesting of a JSON body. Valid bodies have a few levels; deeper ones only cost time and stack. */
const MAX_NESTING_LEVELS = 100;
/** Maximum number of invalid locations in an error response. */
const MAX_LOCATIONS = 100;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** The parsed path, query and body of a request. */
export interface RequestInput<C extends EndpointContract> {
  readonly params: z.output<C["params"]>;
  readonly query: z.output<C["query"]>;
  readonly body: z.output<NonNullable<C["body"]>>;
}

/**
 * Parses path, query and body with the schemas of the contract.
 * @throws ValidationFailed with at most 100 locations per part; BodyTooLarge; MalformedBody.
 */
export function parseRequest<C extends EndpointContract>(contract: C, event: APIGatewayProxyEventV2): RequestInput<C> {
  const locations: ErrorLocation[] = [];
  const part = (where: string, schema: z.ZodType, value: unknown): unknown => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const given = parsed.error.issues.slice(0, MAX_LOCATIONS);
    const refused = given.flatMap((issue) => toLocations(where, where === "query" ? nameMissing(issue, value) : issue));
    locations.push(...refused.slice(0, MAX_LOCATIONS));
    return undefined;
  };
  const params = part("path", contract.params, event.pathParameters ?? {});
  const query = part("query", contract.query, readQuery(contract.query, event.rawQueryString));
  const body = contract.body === undefined ? undefined : part("body", contract.body, parseBody(contract, event));
  if (locations.length > 0) throw new ValidationFailed(locations);
  return { params, query, body } as RequestInput<C>;
}

/**
 * Parses a query string. A repeated key becomes an array if the schema expects one; otherwise its last value counts.
 */
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

function parseBody(contract: EndpointContract, event: APIGatewayProxyEventV2): unknown {
  const raw = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (raw.byteLength > contract.maxBodyBytes) {
    throw new BodyTooLarge(`The body is larger than ${contract.maxBodyBytes} bytes; send it in smaller parts.`);
  }
  if (raw.byteLength === 0) return undefined;
  const text = readText(contract, raw, event);
  return contract.mediaTypes ? text : parseJson(text);
}

/** Parses JSON from outside, with every text well formed. @throws MalformedBody if it is invalid or nested too deep. */
export function parseJson(text: string): unknown {
  if (exceedsNesting(text)) throw new MalformedBody(`The body is nested more than ${MAX_NESTING_LEVELS} levels deep.`);
  try {
    return JSON.parse(text, ESCAPED_SURROGATE.test(text) ? reviveWellFormed : undefined);
  } catch (cause) {
    throw new MalformedBody("The body is not valid JSON in UTF-8.", { cause });
  }
}

/**
 * Replaces lone surrogates with U+FFFD, as encoders do (WHATWG Encoding, 5.3). JSON can escape them, but UTF-8 and the
 * tables cannot hold them, and one truncated text must not block its batch. @throws SyntaxError for an object key.
 */
function reviveWellFormed(name: string, value: unknown): unknown {
  if (!name.isWellFormed()) throw new SyntaxError("lone surrogate in an object key");
  return typeof value === "string" ? value.toWellFormed() : value;
}

function readText(
  { mediaTypes, decodeBody }: EndpointContract,
  raw: Uint8Array,
  { headers }: APIGatewayProxyEventV2,
): string {
  try {
    return decodeBody ? decodeBody(raw, headers["content-type"]) : decodeUtf8(raw);
  } catch (cause) {
    const encoding = headers["content-encoding"] ?? "identity";
    if (encoding !== "identity") throw new MalformedBody(COMPRESSED, { cause });
    throw new MalformedBody(`The body is not ${mediaTypes ? "text" : "valid JSON"} in UTF-8.`, { cause });
  }
}

/** Judged only where the text is unreadable: some clients name an encoding and send plain text. */
const COMPRESSED = "The body has a content-encoding, which the service does not read; send it without compression.";

const decodeUtf8 = (raw: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(raw);

/** Whether arrays and objects are nested beyond the limit. Brackets in strings do not count. */
function exceedsNesting(json: string): boolean {
  let level = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = endOfString(json, at);
    else if (character === OPEN_LIST || character === OPEN_OBJECT) level += 1;
    else if (character === CLOSE_LIST || character === CLOSE_OBJECT) level -= 1;
    if (level > MAX_NESTING_LEVELS) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125] as const;

/** Returns the position of the closing quote of the string that starts at `start`, or else the end of the text. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/**
 * Says of a missing query parameter that it is required. The schema of a number would say that NaN is none, because it
 * converts the absent text first.
 */
function nameMissing(issue: z.core.$ZodIssue, query: unknown): z.core.$ZodIssue {
  const [name, ...rest] = issue.path;
  const isMissing = name !== undefined && rest.length === 0 && !Object.hasOwn(Object(query), name);
  return isMissing && issue.code !== "custom" ? { ...issue, message: "Required" } : issue;
}

/** Converts an issue to locations. Messages describe the schema, never the value. */
function toLocations(where: string, issue: z.core.$ZodIssue): ErrorLocation[] {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ loc: [where, ...path, key], msg: "Unrecognized field", type: issue.code }));
  }
  return [{ loc: [where, ...path], msg: describeIssue(issue), type: issue.code }];
}

/** The message of an issue; of a union or a key without a message of its own, those of its parts. */
function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_key") return `${issue.message}: ${issue.issues.map(describeIssue).join(", ")}`;
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input") return issue.message;
  return [...new Set(issue.errors.flat().map(describeIssue))].join(", or ") || issue.message;
}
