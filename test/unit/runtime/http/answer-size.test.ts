import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoint } from "../../../../lib/contract/endpoint.ts";
import { noFields } from "../../../../lib/contract/shared-schemas.ts";
import { Answer } from "../../../../lib/runtime/http/answer.ts";
import { answerBytes, MAX_PAGE_BYTES, readPageItems, takePageItems } from "../../../../lib/runtime/http/answer-size.ts";
import { implement } from "../../../../lib/runtime/implement.ts";
import { context, requestEvent } from "../request-event.ts";

const contract = endpoint({
  operationId: "tryLengths",
  method: "GET",
  path: "/lengths",
  tag: "service",
  summary: "Try long answers",
  description: ["For tests."],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z.string(),
  access: [],
});
const MOST_BYTES = 6 * 1_048_576;

/** The Lambda response for this text. */
const carried = (text: string, headers: Record<string, string> = {}) =>
  implement(contract, async () => new Answer(text))(requestEvent({ headers }), context);
const bytesOf = (answer: object) => Buffer.byteLength(JSON.stringify(answer));

describe("a response", () => {
  test.each([
    ["letters", "a"],
    ["quotes", '"'],
    ["control characters", "\u0001"],
    ["characters of three bytes", "€"],
    ["lone surrogates", "\ud800"],
  ])("of %s is sent up to 6 MB and rejected with a reason beyond", async (_, character) => {
    const each = answerBytes(character);
    const room = MOST_BYTES - bytesOf(await carried(""));
    const most = Math.floor(room / each) - 100;
    expect((await carried(character.repeat(most))).statusCode).toBe(200);
    const refused = await carried(character.repeat(most + 200));
    expect(refused.statusCode).toBe(400);
    expect(JSON.parse(refused.body ?? "")).toMatchObject({ code: "answer_too_large", request_id: "request-1" });
  });

  test("of 60 MB is sent to a client that accepts gzip, if it compresses below 6 MB", { tags: "deep" }, async () => {
    const text = "sample ".repeat(9_000_000);
    const answer = await carried(text, { "accept-encoding": "gzip" });
    expect([answer.statusCode, bytesOf(answer) < MOST_BYTES]).toEqual([200, true]);
    expect(gunzipSync(Buffer.from(answer.body ?? "", "base64")).length).toBe(text.length);
  });
});

describe("a page", () => {
  const item = (bytes: number) => "x".repeat(bytes);

  test("contains the first items that fit, and at least one", () => {
    expect(takePageItems([])).toEqual([]);
    expect(takePageItems([1, 2, 3])).toEqual([1, 2, 3]);
    expect(takePageItems([item(MAX_PAGE_BYTES * 2), item(1)]).length).toBe(1);
    expect(takePageItems(Array.from({ length: 10 }, () => item(1_000_000))).length).toBe(4);
    expect(takePageItems([1, 2, 3], (n) => item(n * 1_500_000))).toEqual([1]);
  });

  test.each([1, 3, 10, 11, 25])(
    "of %d items continues where the previous page ended, although some items are deleted",
    { tags: "deep" },
    async (size) => {
      const entries = Array.from({ length: size }, (_, index) => index);
      const read = async (some: readonly number[]) =>
        some.map((index) => (index % 4 === 3 ? undefined : { index, text: item(900_000) }));
      const found: number[] = [];
      for (let begin = 0; begin < size; ) {
        const page = await readPageItems(entries.slice(begin), read);
        expect(answerBytes(JSON.stringify(page.found))).toBeLessThan(MAX_PAGE_BYTES + 100);
        expect(page.read).toBeGreaterThan(0);
        found.push(...page.found.map(({ index }) => index));
        begin += page.read;
      }
      expect(found).toEqual(entries.filter((index) => index % 4 !== 3));
    },
  );
});
