import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { acceptsCoding, compress } from "../../../../lib/runtime/http/compress.ts";

test.each(["gzip", "GZIP", "br, gzip", "deflate, gzip;q=0.5, *;q=0"])("%s accepts gzip", (header) => {
  expect(acceptsCoding("gzip", header)).toBe(true);
});

test.each(["", "br", "gzip;q=0", "gzip; q=0.000", "identity, x-gzip2"])("'%s' does not accept gzip", (header) => {
  expect(acceptsCoding("gzip", header)).toBe(false);
});

const body = JSON.stringify({ text: "samples ".repeat(500) });
const answer = { statusCode: 200, headers: { "content-type": "application/json" }, body };

test("a long response is compressed when the client accepts it", async () => {
  const compressed = await compress(answer, { "accept-encoding": "gzip" });
  expect(compressed).toMatchObject({ statusCode: 200, isBase64Encoded: true });
  expect(compressed.headers).toEqual({ ...answer.headers, "content-encoding": "gzip", vary: "accept-encoding" });
  expect(gunzipSync(Buffer.from(compressed.body ?? "", "base64")).toString()).toBe(body);
});

test("other responses stay unchanged", async () => {
  expect(await compress(answer, {})).toBe(answer);
  const short = { ...answer, body: "{}" };
  expect(await compress(short, { "accept-encoding": "gzip" })).toBe(short);
});
