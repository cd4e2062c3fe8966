import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoint } from "../../../../lib/contract/endpoint.ts";
import { noFields, queryInteger } from "../../../../lib/contract/shared-schemas.ts";
import { BodyTooLarge, type ErrorLocation, MalformedBody, ValidationFailed } from "../../../../lib/runtime/errors.ts";
import { parseRequest } from "../../../../lib/runtime/http/request.ts";
import { requestEvent } from "../request-event.ts";

const contract = endpoint({
  operationId: "tryParts",
  method: "POST",
  path: "/things/{thing_id}",
  tag: "service",
  summary: "Try all parts of a request",
  description: ["For tests."],
  auth: "none",
  params: z.object({ thing_id: z.guid().toLowerCase() }),
  query: z.object({
    limit: queryInteger(1, 100).default(10),
    region: z.array(z.enum(["us", "eu"])).nullish(),
    name: z.string().optional(),
  }),
  body: z.strictObject({ name: z.string(), ages: z.array(z.number()).optional() }),
  response: noFields,
  access: [],
  maxBodyBytes: 60,
});

const path = { thing_id: "6A1F6F3E-1DF0-4BD4-8F0E-0D5C6D0D3C11" };
const body = JSON.stringify({ name: "Zoë" });
const parse = (sent: Parameters<typeof requestEvent>[0]) =>
  parseRequest(contract, requestEvent({ path, body, ...sent }));

/** The validation errors of the response. */
function refusals(sent: Parameters<typeof requestEvent>[0]): unknown {
  try {
    return parse(sent);
  } catch (error) {
    if (error instanceof ValidationFailed) return error.detail;
    throw error;
  }
}

describe("a valid request", () => {
  test("is parsed into its parts, with defaults filled in", () => {
    const params = { thing_id: path.thing_id.toLowerCase() };
    expect(parse({})).toEqual({ params, query: { limit: 10 }, body: { name: "Zoë" } });
  });

  test("may have a binary body", () => {
    expect(parse({ body: Buffer.from(body) }).body).toEqual({ name: "Zoë" });
  });

  test("parses a repeated key as a list when the contract has a list, else as its last value", () => {
    expect(parse({ query: "region=us&region=eu&name=a&name=b" }).query).toMatchObject({
      region: ["us", "eu"],
      name: "b",
    });
    expect(parse({ query: "region=us" }).query.region).toEqual(["us"]);
  });

  test("may have unknown query parameters", () => {
    expect(parse({ query: "tracking=1&__proto__=x&limit=5" }).query).toEqual({ limit: 5 });
  });
});

describe("an invalid request", () => {
  test("gets all invalid locations at once", () => {
    const sent = { path: { thing_id: "1" }, query: "limit=0&region=mars", body: '{"name":7,"ages":[1,"2"]}' };
    expect(refusals(sent)).toMatchObject([
      { loc: ["path", "thing_id"], type: "invalid_format" },
      { loc: ["query", "limit"], type: "too_small" },
      { loc: ["query", "region", 0], type: "invalid_value" },
      { loc: ["body", "name"], type: "invalid_type" },
      { loc: ["body", "ages", 1], type: "invalid_type" },
    ]);
  });

  test("is told which query parameters are required, and not what absent text converts to", () => {
    const unit = z.enum(["m", "s"]);
    const query = z
      .object({ count: queryInteger(1, 9), unit, tags: z.array(z.string()), from: z.string().optional() })
      .refine(({ from }) => from !== undefined, { path: ["from"], message: "Give a start", when: () => true });
    const asking = endpoint({ ...contract, query: query as unknown as z.ZodObject });
    const refusalsOf = (sent: string) => {
      try {
        return parseRequest(asking, requestEvent({ path, body, query: sent }));
      } catch (error) {
        const { detail } = error as ValidationFailed;
        return (detail as readonly ErrorLocation[]).map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
      }
    };
    const missing = ["query.count: Required", "query.unit: Required", "query.tags: Required"];
    expect(refusalsOf("")).toEqual([...missing, "query.from: Give a start"]);
    expect(refusalsOf("count=12&unit=m&tags=a&from=b")).toEqual(["query.count: Too big: expected number to be <=9"]);
    expect(refusalsOf("count=&unit=m&tags=a&from=b")).toEqual(["query.count: Too small: expected number to be >=1"]);
  });

  test("gets each unknown key of a strict body", () => {
    const unknown = { msg: "Unrecognized field", type: "unrecognized_keys" };
    expect(refusals({ body: '{"name":"a","b":1,"c":2}' })).toEqual([
      { loc: ["body", "b"], ...unknown },
      { loc: ["body", "c"], ...unknown },
    ]);
  });

  test("never gets its own values back", () => {
    const sent = {
      path: { thing_id: "secret-1" },
      query: "limit=secret-2&region=secret-3",
      body: '{"name":["secret-4"]}',
    };
    expect(JSON.stringify(refusals(sent))).not.toContain("secret");
  });

  test("gets a required error when it has no body", () => {
    const event = requestEvent({ path });
    expect(() => parseRequest(contract, event)).toThrow(ValidationFailed);
  });
});

describe("a body", () => {
  test.each([
    ["invalid JSON", "{name: 1}"],
    ["JSON that is cut off", '{"name":'],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])("of %s is malformed", (_, sent) => {
    expect(() => parse({ body: sent })).toThrow(MalformedBody);
  });

  test("that is compressed is malformed, and the answer says how to send it", () => {
    const gzipped = gzipSync('{"name":"a"}');
    const event = requestEvent({ path, body: gzipped, headers: { "content-encoding": "gzip" } });
    expect(() => parseRequest(contract, event)).toThrow("send it without compression");
  });

  test("with excessive nesting is malformed, regardless of brackets in strings", () => {
    const roomy = { ...contract, maxBodyBytes: 1_000_000 };
    const sent = (text: string) => () => parseRequest(roomy, requestEvent({ path, body: text }));
    expect(sent(`{"name":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`)).toThrow(MalformedBody);
    expect(sent("[".repeat(101))).toThrow(MalformedBody);
    const name = `\\"${"[{".repeat(200)}`;
    expect(sent(JSON.stringify({ name }))()).toMatchObject({ body: { name } });
  });

  test("with a hundred thousand invalid values gets a hundred errors", () => {
    const roomy = { ...contract, maxBodyBytes: 1_000_000 };
    const ages = JSON.stringify({ name: "a", ages: Array.from({ length: 100_000 }, () => "") });
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, key) => [`k${key}`, 0])));
    for (const text of [ages, keys]) {
      const refused = () => parseRequest(roomy, requestEvent({ path, body: text }));
      expect(refused).toThrow(
        expect.objectContaining({ detail: expect.toSatisfy((all: unknown[]) => all.length === 100) }),
      );
    }
  });

  test("is measured in bytes, not characters", () => {
    const ofBytes = (bytes: number) => `"${"ë".repeat((bytes - 2) / 2)}"`;
    expect(() => parse({ body: ofBytes(60) })).toThrow(ValidationFailed);
    expect(() => parse({ body: ofBytes(62) })).toThrow(BodyTooLarge);
  });
});

test("a lone surrogate becomes the replacement character in a value and is malformed in a name", () => {
  expect(parse({ path, body: '{"name":"cut \\ud83d"}' }).body).toEqual({ name: "cut \ufffd" });
  expect(() => parse({ path, body: '{"name":"a","\\udfff":1}' })).toThrow(MalformedBody);
  expect(parse({ path, body: '{"name":"\\ud83d\\ude00"}' }).body).toEqual({ name: "😀" });
});
