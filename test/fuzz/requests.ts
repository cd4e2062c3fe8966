import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type * as z from "zod";
import { bodyOf } from "./bodies.ts";
import type { Draw } from "./draw.ts";
import { hostileText } from "./hostile.ts";
import type { SchemaValues } from "./schema-values.ts";
import type { Target, World } from "./world.ts";

/** A kind of flaw in a request. */
export type Flaw = "path" | "query" | "body" | "text" | "bytes" | "credential" | "headers";

/** Per cent of requests without flaws, with two flaws, with a wrong credential, and with unexpected headers. */
const [FLAWLESS, TWICE, WRONG_CREDENTIALS, STRANGE_HEADERS] = [5, 20, 6, 8];
/** Operations that keep the whole service busy for seconds get ids of nonexistent resources. */
const HEAVY =
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
export function requestTo(
  target: Target,
  world: World,
  values: SchemaValues,
  draw: Draw,
  id: string,
): APIGatewayProxyEventV2 {
  const { contract } = target;
  const found = flawsFor(target, draw);
  values.known = HEAVY.test(contract.operationId) ? {} : world.known;
  const pathParameters = paramsOf(target, values, draw, found.has("path"));
  const rawQueryString = queryOf(target, values, draw, found.has("query"));
  const rawPath = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? "");
  const { body, type } = bodyOf(target, values, draw, found);
  const isText = /json|text/.test(type) && body.equals(Buffer.from(body.toString("utf8")));
  const headers = headersOf(target, world, draw, found);
  const method = contract.method === "ANY" ? draw.of(["GET", "POST", "PUT"]) : contract.method;
  return {
    version: "2.0",
    routeKey: `${method} ${target.path}`,
    rawPath,
    rawQueryString,
    headers: { host: "127.0.0.1", ...(type ? { "content-type": type } : {}), ...headers },
    pathParameters,
    requestContext: contextOf(method, rawPath, id),
    ...(body.length > 0 ? { body: body.toString(isText ? "utf8" : "base64") } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function contextOf(method: string, path: string, requestId: string): APIGatewayProxyEventV2["requestContext"] {
  const http = { method, path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "fuzz" };
  const of = { accountId: "0", apiId: "main", domainName: "127.0.0.1", domainPrefix: "127", stage: "$default" };
  return { ...of, http, requestId, routeKey: "", time: "", timeEpoch: 0 };
}

/** Draws the flaws of a request. The route can reject each of them. */
function flawsFor({ contract, path }: Target, draw: Draw): Set<Flaw> {
  const headers = draw.percent(STRANGE_HEADERS) ? (["headers"] as const) : [];
  if (draw.percent(FLAWLESS)) return new Set(headers);
  const hasBody = (contract.body ?? contract.form) !== undefined;
  const refusable: Flaw[] = [
    ...(path.includes("{") ? (["path", "path"] as const) : []),
    ...(Object.keys(contract.query.shape).length > 0 ? (["query", "query"] as const) : []),
    ...(hasBody ? (["body", "body", "body", "text", "bytes"] as const) : []),
  ];
  // After a wrong credential the service checks nothing else.
  const isCredential = contract.auth !== "none" && draw.percent(refusable.length > 0 ? WRONG_CREDENTIALS : 50);
  const possible: Flaw[] = isCredential ? ["credential"] : refusable;
  const drawn = draw.percent(TWICE) ? [draw.of(possible), draw.of(possible)] : [draw.of(possible)];
  return new Set([...headers, ...drawn.filter((flaw) => flaw !== undefined)]);
}

function paramsOf({ contract, path }: Target, values: SchemaValues, draw: Draw, isFlawed: boolean) {
  const fit = values.of(contract.params, draw) as Record<string, unknown>;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const hit = draw.below(Math.max(1, names.length));
  const value = (name: string, index: number) =>
    isFlawed && index === hit
      ? draw.percent(25)
        ? draw.uuid()
        : hostileText(draw).toWellFormed()
      : (values.known[name] ?? String(fit[name] ?? name));
  return Object.fromEntries(names.map((name, index) => [name, value(name, index)]));
}

/** Builds a valid query, or a query with invalid values and text that no client writes. */
function queryOf({ contract }: Target, values: SchemaValues, draw: Draw, isFlawed: boolean): string {
  const fit = Object.entries(values.of(contract.query, draw) as Record<string, unknown>);
  const pairs = fit.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as [string, string]));
  if (!isFlawed) return String(new URLSearchParams(pairs));
  const names = Object.keys((contract.query as z.ZodObject).shape);
  const spoilt = [draw.of(names) ?? "x", hostileText(draw).toWellFormed()];
  const text = String(new URLSearchParams([...pairs, spoilt] as [string, string][]));
  return draw.percent(25)
    ? `${text}${draw.of(["&&==&", "&%zz=%", "&=", "&a[]=1", "&__proto__=1", `&${"a=1&".repeat(500)}`, "&%ff=%c0%80", "?"])}`
    : text;
}

function headersOf(
  { contract }: Target,
  { credentials, known }: World,
  draw: Draw,
  found: ReadonlySet<Flaw>,
): Record<string, string> {
  const right = credentials[contract.auth];
  const headers: Record<string, string> = { ...right };
  if (found.has("credential")) {
    const [name = "x-service-api-key", value = ""] = Object.entries(right)[0] ?? [];
    const wrong = draw.of([
      undefined,
      "",
      hostileText(draw),
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
  const name = draw.of(strangeHeaders);
  return { ...headers, [name]: hostileText(draw).replaceAll(/[^\u0020-\u00ff]/g, "?") };
}
