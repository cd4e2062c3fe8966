import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, TestService } from "../../support/service.ts";

const REQUESTS = 3_000;
const SEED = 20_260_501;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isManagement: boolean;
  readonly query: readonly string[];
  readonly fields: readonly string[];
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
}
interface DocumentedOperation {
  parameters: { name: string; in: string }[];
  requestBody?: { content: { "application/json"?: { schema: { properties?: object } } } };
}

let service: TestService;
let operations: Operation[];
let known: Record<string, string>;
beforeAll(async () => {
  service = await TestService.start();
  const document: Document = (await service.call("GET", "/openapi.json")).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => operationOf(path, method.toUpperCase(), documented)),
  );
  const { org_id, team_id } = service.identity;
  const user_id = await service.createUser("fuzzed");
  known = { org_id, team_id, user_id, client_user_id: "fuzzed", env: "sandbox", region: "us", resource: "heartrate" };
});
afterAll(() => service.stop());

function operationOf(path: string, method: string, { parameters, requestBody }: DocumentedOperation): Operation {
  const query = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const fields = Object.keys(requestBody?.content["application/json"]?.schema.properties ?? {});
  return { method, path, isManagement: path.startsWith("/v1/org/"), query, fields };
}

/** Values that are sometimes right: what is nearly in order gets further than noise. */
const plausible = fc.constantFrom(
  "2026-05-01",
  "2026-05-02T08:00:00Z",
  "2026-05-01T08:00:00+02:00",
  "oura",
  "ring",
  "us",
  "demo",
  "Europe/Berlin",
  "5b1d6f0e-0000-4000-8000-000000000000",
  "http://127.0.0.1:9/",
  "",
  "0",
  "-1",
  "daily",
  "historical",
);
const text = fc.oneof(plausible, fc.string({ unit: "binary", maxLength: 40 }), fc.string({ maxLength: 40 }));
const record = fc.record(
  {
    timestamp: plausible,
    start: plausible,
    end: plausible,
    calendar_date: plausible,
    bedtime_start: plausible,
    bedtime_stop: plausible,
    value: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.double(), fc.jsonValue()),
    provider_id: text,
    type: text,
  },
  { requiredKeys: [] },
);
const resources = fc.dictionary(
  fc.constantFrom("heartrate", "steps", "activity", "sleep", "note", "ige", "hypnogram", "nothing", "__proto__"),
  fc.array(record, { maxLength: 4 }),
);
const value = fc.oneof(text, fc.jsonValue(), resources, fc.constantFrom(null, true, 0, []));

const attempt = fc.record({
  operation: fc.nat(),
  knownParameters: fc.double({ min: 0, max: 1, noNaN: true }),
  parameters: fc.array(text, { minLength: 4, maxLength: 4 }),
  query: fc.array(fc.tuple(fc.nat(), text), { maxLength: 3 }),
  body: fc.oneof({ arbitrary: fc.array(fc.tuple(fc.nat(), value), { maxLength: 2 }), weight: 5 }, fc.jsonValue()),
  rawBody: fc.oneof(
    { arbitrary: fc.constant(null), weight: 11 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 80 }), weight: 1 },
  ),
});
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

function pathOf({ path }: Operation, { knownParameters, parameters }: Attempt): string {
  let next = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = parameters[next++] ?? "";
    return encodeURIComponent((knownParameters < 0.8 ? (known[name] ?? given) : given).toWellFormed());
  });
}

function bodyOf({ fields }: Operation, { body, rawBody }: Attempt): string | undefined {
  if (rawBody !== null) return rawBody;
  const isPairs = Array.isArray(body) && body.every((one) => Array.isArray(one) && one.length === 2);
  if (!isPairs || fields.length === 0) return JSON.stringify(body);
  const entries = (body as [number, unknown][]).map(([at, given]) => [fields[Number(at) % fields.length], given]);
  return JSON.stringify({ ...defaultsOf(fields), ...Object.fromEntries(entries) });
}

/** A body that is in order, for the fields to be changed in. */
function defaultsOf(fields: readonly string[]): object {
  const heartrate = [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }];
  return fields.includes("resources") ? { provider: "oura", source_type: "ring", resources: { heartrate } } : {};
}

async function run(given: Attempt): Promise<Answer & { request: string; tookMs: number }> {
  const operation = operations[given.operation % operations.length];
  if (!operation) throw new Error("no operations");
  const query = given.query.map(([at, text]) => [
    operation.query[at % operation.query.length] ?? "q",
    text.toWellFormed(),
  ]);
  if (operation.query.includes("start_date")) query.unshift(["start_date", "2026-05-01"]);
  const path = `${pathOf(operation, given)}?${new URLSearchParams(query)}`;
  const body = ["GET", "HEAD"].includes(operation.method) ? undefined : bodyOf(operation, given);
  const call = operation.isManagement ? service.manage.bind(service) : service.call.bind(service);
  const startedAt = performance.now();
  const answer = await call(operation.method, path, body === undefined ? {} : { body });
  if (operation.method === "DELETE" && operation.path === "/v2/user/{user_id}")
    known = { ...known, user_id: await service.createUser(`after ${given.operation}`) };
  return { ...answer, request: `${operation.method} ${path} ${body ?? ""}`, tookMs: performance.now() - startedAt };
}

/** An answer to HEAD has no body, and that to a browser is a page. */
const isErrorShape = ({ headers, body }: Answer, request: string) =>
  request.startsWith("HEAD ") ||
  (request.startsWith("GET ") && headers.get("content-type")?.startsWith("text/html")) ||
  (body?.detail !== undefined && typeof body.code === "string" && typeof body.request_id === "string");

test("no request of 3,000 over all routes fails the service, takes long, or is refused in another shape", async () => {
  const wrong: unknown[] = [];
  const statuses = new Map<number, number>();
  for (const given of fc.sample(attempt, { numRuns: REQUESTS, seed: SEED })) {
    const { request, tookMs, ...answer } = await run(given);
    const { status, body } = answer;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isWrong = status >= 500 || tookMs > 5_000 || (status >= 400 && !isErrorShape(answer, request));
    if (isWrong) wrong.push({ request: request.slice(0, 500), status, body, tookMs });
  }
  expect(wrong).toEqual([]);
  const rare = [200, 202, 400, 404, 422].filter((status) => (statuses.get(status) ?? 0) < 5);
  expect([rare, Object.fromEntries(statuses)]).toEqual([[], expect.anything()]);
}, 120_000);

test("nothing that was accepted on the way was given up", async () => {
  await service.settle();
  await service.advance(60 * 60 * 1000);
  const { body } = await service.call("GET", "/_local/resources");
  expect(body.dead_letters.filter(({ visible }: { visible: number }) => visible > 0)).toEqual([]);
}, 120_000);
