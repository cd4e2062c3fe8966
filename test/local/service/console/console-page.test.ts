import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../functions/index.ts";
import { TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.baseUrl}${path}`, { headers });

test("every address below /console without a route of its own is the one page, for anybody", async () => {
  const page = await (await get("/console")).text();
  expect(page).toContain("<title>Console");
  const places = [
    "users",
    "users/7ea70000-0000-4000-8000-000000000001/data/heartrate",
    "sign-in?next=/console",
    "a/b/c/d/e",
  ];
  for (const place of places) {
    const answer = await get(`/console/${place}`);
    expect([place, answer.status, await answer.text()]).toEqual([place, 200, page]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  }
  expect((await get("/console/session")).status).toBe(401);
});

test("no route has the address of a view, which would then show data instead of the page", () => {
  const views = ["", "/users", "/events", "/orders", "/webhooks", "/team"].map((view) => `/console${view}`);
  const taken = endpoints.filter(({ operationId }) => operationId !== "getConsolePage");
  expect(taken.filter(({ path }) => views.includes(path))).toEqual([]);
});

test("the page loads and sends nothing elsewhere, runs no inline script, and is in no frame", async () => {
  const { headers } = await get("/console?ticket=ct_secret");
  const directives = (headers.get("content-security-policy") ?? "").split("; ");
  expect(directives.toSorted()).toEqual(
    [
      ...[
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
      ],
      ...["frame-src blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
      "require-trusted-types-for 'script'",
    ].toSorted(),
  );
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
});

test("its script and style have names of their content, and may be kept for good", async () => {
  const page = await (await get("/console")).text();
  const names = [...page.matchAll(/"(\/console\/assets\/\w+\.[0-9a-f]{16}\.(?:js|css))"/g)].map(
    ([, name = ""]) => name,
  );
  expect(names.map((name) => name.split(".").at(-1)).toSorted()).toEqual(["css", "js", "js"]);
  for (const name of names) {
    const [compressed, plain] = [
      await get(name, { "accept-encoding": "br" }),
      await get(name, { "accept-encoding": "identity" }),
    ];
    expect(compressed.headers.get("content-encoding")).toBe("br");
    expect(plain.headers.get("content-encoding")).toBeNull();
    const text = await plain.text();
    expect([text.length > 0, await compressed.text()]).toEqual([true, text]);
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("content-type")).toMatch(/^text\/(javascript|css)/);
  }
});

test.each(["console.js", "console.0000000000000000.js", "console.html", "x/console.css", "%2e%2e%2findex.mjs"])(
  "a file that the page does not name is unknown: %s",
  async (name) => {
    const answer = await get(`/console/assets/${name}`);
    expect([answer.status, (await answer.json()).code]).toEqual([404, "not_found"]);
  },
);
