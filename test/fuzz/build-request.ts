import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod";
import { assembleEvent } from "./assemble-event.ts";
import { buildBody } from "./build-body.ts";
import type { FuzzRandom } from "./fuzz-random.ts";
import type { FuzzTarget, FuzzWorld } from "./fuzz-world.ts";
import { drawHostileText } from "./hostile-values.ts";
import type { SchemaValues } from "./schema-values.ts";

/** A kind of flaw in a request. */
export type RequestFlaw = "path" | "query" | "body" | "text" | "bytes" | "credential" | "headers";

/** Per cent of requests without flaws, with two flaws, with a wrong credential, and with unexpected headers. */
const [FLAWLESS, TWICE, WRONG_CREDENTIALS, STRANGE_HEADERS] = [5, 20, 6, 8];
/** Operations that keep the whole service busy for seconds get ids of nonexistent resources. */
const EXPENSIVE_OPERATIONS =
  /^(connectDemoProvider|startExport|refreshUser|bulk\w+|simulateOrderProcess|recreateOrder|parserCreateJob|createReportUpload)$/;

const strangeHeaders = [
  "x-idempotency-key",
  "x-idempotency-error",
  "accept",
  "accept-encoding",
  "authorization",
  "cookie",
  "origin",
  "if-none-match",
  "content-encoding",
  "x-forwarded-for",
  "__proto__",
  "range",
  "expect",
] as const;

/** Builds a request as a function receives it from API Gateway. @param id of the request. */
export function buildRequest(
  target: FuzzTarget,
  world: FuzzWorld,
  values: SchemaValues,
  draw: FuzzRandom,
  id: string,
): APIGatewayProxyEventV2 {
  const { contract } = target;
  const found = drawFlaws(target, draw);
  values.known = EXPENSIVE_OPERATIONS.test(contract.operationId) ? {} : world.known;
  const pathParameters = buildPathParameters(target, values, draw, found.has("path"));
  const rawQueryString = buildQuery(target, values, draw, found.has("query"));
  const { body, type } = buildBody(target, values, draw, found);
  const headers = buildHeaders(target, world, draw, found);
  const method = contract.method === "ANY" ? draw.pick(["GET", "POST", "PUT"]) : contract.method;
  return assembleEvent({ method, path: target.path, pathParameters, rawQueryString, body, type, headers, id });
}

/** Draws the flaws of a request. The route can reject each of them. */
function drawFlaws({ contract, path }: FuzzTarget, draw: FuzzRandom): Set<RequestFlaw> {
  const headers = draw.percent(STRANGE_HEADERS) ? (["headers"] as const) : [];
  if (draw.percent(FLAWLESS)) return new Set(headers);
  const hasBody = (contract.body ?? contract.form) !== undefined;
  const refusable: RequestFlaw[] = [
    ...(path.includes("{") ? (["path", "path"] as const) : []),
    ...(Object.keys(contract.query.shape).length > 0 ? (["query", "query"] as const) : []),
    ...(hasBody ? (["body", "body", "body", "text", "bytes"] as const) : []),
  ];
  // After a wrong credential the service checks nothing else.
  const isCredential = contract.auth !== "none" && draw.percent(refusable.length > 0 ? WRONG_CREDENTIALS : 50);
  const possible: RequestFlaw[] = isCredential ? ["credential"] : refusable;
  const drawn = draw.percent(TWICE) ? [draw.pick(possible), draw.pick(possible)] : [draw.pick(possible)];
  return new Set([...headers, ...drawn.filter((flaw) => flaw !== undefined)]);
}

function buildPathParameters(
  { contract, path }: FuzzTarget,
  values: SchemaValues,
  draw: FuzzRandom,
  isFlawed: boolean,
) {
  const fit = values.generate(contract.params, draw) as Record<string, unknown>;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const hit = draw.integerBelow(Math.max(1, names.length));
  const value = (name: string, index: number) =>
    isFlawed && index === hit
      ? draw.percent(25)
        ? draw.uuid()
        : drawHostileText(draw).toWellFormed()
      : (values.known[name] ?? String(fit[name] ?? name));
  return Object.fromEntries(names.map((name, index) => [name, value(name, index)]));
}

/** Builds a valid query, or a query with invalid values and text that no client writes. */
function buildQuery({ contract }: FuzzTarget, values: SchemaValues, draw: FuzzRandom, isFlawed: boolean): string {
  const fit = Object.entries(values.generate(contract.query, draw) as Record<string, unknown>);
  const pairs = fit.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as [string, string]));
  if (!isFlawed) return String(new URLSearchParams(pairs));
  const names = Object.keys((contract.query as z.ZodObject).shape);
  const spoilt = [draw.pick(names) ?? "x", drawHostileText(draw).toWellFormed()];
  const text = String(new URLSearchParams([...pairs, spoilt] as [string, string][]));
  return draw.percent(25)
    ? `${text}${draw.pick(["&&==&", "&%zz=%", "&=", "&a[]=1", "&__proto__=1", `&${"a=1&".repeat(500)}`, "&%ff=%c0%80", "?"])}`
    : text;
}

function buildHeaders(
  { contract }: FuzzTarget,
  { credentials, known }: FuzzWorld,
  draw: FuzzRandom,
  found: ReadonlySet<RequestFlaw>,
): Record<string, string> {
  const right = credentials[contract.auth];
  const headers: Record<string, string> = { ...right };
  if (found.has("credential")) {
    const [name = "x-service-api-key", value = ""] = Object.entries(right)[0] ?? [];
    const wrong = draw.pick([
      undefined,
      "",
      drawHostileText(draw),
      `${value},${value}`,
      value.slice(1),
      value.toUpperCase(),
      `${value} `,
    ]);
    if (wrong === undefined) delete headers[name];
    else headers[name] = wrong.replaceAll(/[^\u0020-\u00ff]/g, "?");
  }
  if (draw.percent(3)) headers["x-idempotency-key"] = known["x-idempotency-key"] ?? "";
  if (!found.has("headers")) return headers;
  const name = draw.pick(strangeHeaders);
  return { ...headers, [name]: drawHostileText(draw).replaceAll(/[^\u0020-\u00ff]/g, "?") };
}
