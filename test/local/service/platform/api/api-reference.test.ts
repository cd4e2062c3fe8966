import { get, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../../support/service.ts";

let service: TestService;
let page: string;
beforeAll(async () => {
  service = await TestService.start();
  page = (await fetchRaw("/docs")).text;
});
afterAll(() => service?.stop());

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Requests a path without a change of its dots, and returns the body as the service compressed it. */
function fetchRaw(path: string, acceptEncoding?: string): Promise<Raw> {
  const headers = acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding };
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(service.baseUrl);
    get({ hostname, port, path, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      done({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() });
    }).once("error", fail);
  });
}

/** The addresses of the files that the page loads. */
const assets = () => [...page.matchAll(/"(docs\/[^"]+)"/g)].map(([, address]) => `/${address}`);
const rendererOf = () => assets().find((address) => address.includes("renderer")) ?? "";

describe("the API reference", () => {
  test("is a page that loads its own files only, and that caches revalidate", async () => {
    const { status, headers } = await fetchRaw("/docs");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
    const policy = new Map(
      String(headers["content-security-policy"])
        .split("; ")
        .map((part) => part.split(/ (.*)/) as [string, string]),
    );
    expect(Object.fromEntries(policy)).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "connect-src": "'self'",
      "style-src": "'self' 'unsafe-inline'",
      "frame-ancestors": "'none'",
    });
    expect(page).not.toMatch(/<script(?![^>]* src=)|\bstyle=|https?:/);
  });

  test("has files whose names contain a digest, and that caches keep for a year", async () => {
    expect(assets().map((address) => address.replace(/\.[0-9a-f]{16}\./, "."))).toEqual([
      "/docs/reference.css",
      "/docs/reference-renderer.js",
      "/docs/reference.js",
    ]);
    for (const address of assets()) {
      const { status, headers } = await fetchRaw(address, "br");
      expect([address, status]).toEqual([address, 200]);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers["content-type"]).toMatch(address.endsWith(".css") ? /^text\/css/ : /^text\/javascript/);
    }
  });

  test("sends the renderer in a coding that the caller accepts", { tags: "deep" }, async () => {
    const plain = await fetchRaw(rendererOf());
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.text).toContain("createApiReference");
    const brotli = await fetchRaw(rendererOf(), "gzip, br");
    expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(brotli.bytes.length).toBeLessThan(1_250_000);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect((await fetchRaw(rendererOf(), "gzip, br;q=0")).headers["content-encoding"]).toBe("gzip");
  });

  test.each([
    "/docs/nothing.js",
    "/docs/reference.js",
    "/docs/reference.html",
    "/docs/reference.0000000000000000.js",
    "/docs/reference-renderer.js.br",
    "/docs/index.mjs",
    "/docs/..%2fgetOpenApi.mjs",
    "/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/docs/%22",
    "/docs/../docs/x/../../package.json",
  ])("answers 404 for %s", async (path) => {
    const { status, headers } = await fetchRaw(path);
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch("application/json");
  });

  test("is on the management API too", async () => {
    expect((await service.manage("GET", "/docs", { key: null })).status).toBe(200);
  });
});
