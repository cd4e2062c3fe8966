import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { endpoint } from "../../../lib/contract/endpoint.ts";
import { noFields } from "../../../lib/contract/shared-schemas.ts";
import { Conflict, NotFound, ValidationFailed } from "../../../lib/runtime/errors.ts";
import { Answer } from "../../../lib/runtime/http/answer.ts";
import { implement } from "../../../lib/runtime/implement.ts";
import { context, requestEvent } from "./request-event.ts";

const contract = endpoint({
  operationId: "tryAnswers",
  method: "POST",
  path: "/answers",
  tag: "service",
  summary: "Try all kinds of answers",
  description: ["For tests."],
  auth: "none",
  params: noFields,
  query: z.object({ limit: z.coerce.number().optional() }),
  response: z.object({ name: z.string() }),
  status: 201,
  errors: [NotFound],
  access: [],
});

type Result = { name: string } | Answer | undefined;

/** The response for this function. */
async function answerOf(operation: () => Promise<Result>, query = "") {
  const answer = await implement(contract, operation)(requestEvent({ query }), context);
  const text = answer.body ?? "";
  return { ...answer, body: text.startsWith("{") ? JSON.parse(text) : text };
}
const failing = (error: Error) => answerOf(() => Promise.reject(error));

let logged: string[];
beforeEach(() => {
  logged = [];
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void logged.push(line));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("a request that bypasses CloudFront is rejected before the function runs, in the standard error shape", async () => {
  vi.stubEnv("EDGE_SECRET", "the secret");
  const operation = vi.fn(async () => ({ name: "Ada" }));
  expect(await answerOf(operation)).toMatchObject({
    statusCode: 403,
    body: { code: "forbidden", detail: expect.stringContaining("address of the service"), request_id: "request-1" },
  });
  expect(operation).not.toHaveBeenCalled();
});

const protections = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "strict-transport-security": expect.stringMatching(/^max-age=\d{8}$/),
};

describe("the result of a function", () => {
  test("is sent as JSON with the contract's status and the request id", async () => {
    expect(await answerOf(async () => ({ name: "Zoë" }))).toEqual({
      statusCode: 201,
      headers: { ...protections, "content-type": "application/json; charset=utf-8", "x-request-id": "request-1" },
      body: { name: "Zoë" },
    });
  });

  test("may be empty", async () => {
    const answer = await answerOf(async () => undefined);
    expect(answer).toEqual({ statusCode: 201, headers: { ...protections, "x-request-id": "request-1" }, body: "" });
  });

  test("may be a response with its own status, headers and text", async () => {
    const made = new Answer("moved", { status: 308, headers: { location: "/there" } });
    expect(await answerOf(async () => made)).toMatchObject({
      statusCode: 308,
      headers: { location: "/there" },
      body: "moved",
    });
  });

  test("is checked against the contract only when that check is enabled", async () => {
    const wrong = async () => new Answer('{"name":1}');
    expect((await answerOf(wrong)).statusCode).toBe(201);
    vi.stubEnv("CHECK_RESPONSES", "1");
    expect((await answerOf(wrong)).statusCode).toBe(500);
    expect((await answerOf(async () => ({ name: "fits" }))).statusCode).toBe(201);
  });
});

describe("an error that a function throws", () => {
  test("is sent in the standard error shape when the contract declares it", async () => {
    expect(await failing(new NotFound("There is no such thing."))).toMatchObject({
      statusCode: 404,
      body: { detail: "There is no such thing.", code: "not_found", request_id: "request-1" },
    });
  });

  test("is sent without a declaration when every endpoint may have it", async () => {
    const refused = await failing(ValidationFailed.at(["query", "x"], "No"));
    expect(refused).toMatchObject({ statusCode: 422, body: { detail: [{ loc: ["query", "x"], msg: "No" }] } });
  });

  test("is an internal error when the contract does not declare it", async () => {
    const answer = await failing(new Conflict("secret"));
    expect(answer).toMatchObject({ statusCode: 500, body: { code: "internal_error", request_id: "request-1" } });
    expect(logged.join()).toContain("undeclared error conflict");
  });

  test("is reported with only the request id when it is unexpected", async () => {
    const answer = await failing(new TypeError("secret of Zoë"));
    expect(answer.statusCode).toBe(500);
    expect(JSON.stringify([answer, logged])).not.toContain("Zoë");
    const about = {
      operation: "tryAnswers",
      request_id: "request-1",
      trace_id: expect.stringMatching(/^[\da-f]{32}$/),
    };
    const [error, span, count, ...more] = logged.map((line) => JSON.parse(line));
    expect(error).toMatchObject({ error: "TypeError", ...about });
    expect(span).toMatchObject({ message: "span", outcome: "failed", status: 500, ...about, trace_id: error.trace_id });
    expect(count).toMatchObject({ "requests.failed": 1, version: "1", ...about, trace_id: error.trace_id });
    expect(more).toEqual([]);
  });

  test.each([
    ["throttling", { name: "ThrottlingException" }],
    ["a write conflict", { name: "TransactionConflictException" }],
    ["a server-side fault", { $fault: "server" }],
    ["a 5xx", { $metadata: { httpStatusCode: 503 } }],
    ["a lost connection", { code: "ECONNRESET" }],
  ])("because of %s asks the client to retry", async (_, about) => {
    const answer = await failing(Object.assign(new Error("aws"), about));
    expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "1" }, body: { code: "unavailable" } });
  });

  test("does not ask for a retry when AWS rejects the call itself", async () => {
    const refusal = Object.assign(new Error("AccessDenied"), { $fault: "client", $metadata: { httpStatusCode: 400 } });
    expect((await failing(refusal)).statusCode).toBe(500);
  });
});

test("an invalid request does not reach the function", async () => {
  const operation = vi.fn(async () => ({ name: "called" }));
  expect((await answerOf(operation, "limit=many")).statusCode).toBe(422);
  expect(operation).not.toHaveBeenCalled();
});
