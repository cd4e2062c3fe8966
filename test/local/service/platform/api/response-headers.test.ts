import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../../../../functions/index.ts";
import { TestService } from "../../../../support/service.ts";

const ID = "5b1d6f0e-0000-4000-8000-000000000000";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

function expectProtections({ headers }: { headers: Headers }, cacheControl = "no-store"): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}$/);
  expect(headers.get("cache-control")).toBe(cacheControl);
}

/** Page files are revalidated on each request and contain no personal data. */
const CHECKED = "no-cache";
/** Public documents that clients may keep. */
const keptByClients: Readonly<Record<string, string>> = { listConsentKeys: "public, max-age=3600" };

describe("a response has headers against caching, content sniffing and plain HTTP", () => {
  test.each(endpoints.filter(({ method }) => method !== "ANY"))(
    "of $operationId without a credential",
    { tags: "deep" },
    async ({ operationId, method, path, auth }) => {
      const origin = auth === "management" ? service.started.service.managementUrl : service.baseUrl;
      const answer = await fetch(origin + path.replaceAll(/\{\w+\+?\}/g, ID), { method, redirect: "manual" });
      const isFileOfPage = answer.ok && answer.headers.get("cache-control") === CHECKED;
      expectProtections(answer, isFileOfPage ? CHECKED : (keptByClients[operationId] ?? "no-store"));
    },
  );

  test("of a request with a key, with and without a body", async () => {
    const created = await service.call("POST", "/v2/user", { body: { client_user_id: "headers" } });
    const answers = [
      created,
      await service.call("GET", "/v2/user"),
      await service.call("GET", `/v2/summary/sleep/${created.body.user_id}?start_date=2026-01-01`),
      await service.call("POST", "/v2/user", { body: "{" }),
      await service.call("GET", "/v2/nowhere"),
      await service.call("GET", "/openapi.json"),
    ];
    for (const answer of answers) expectProtections(answer);
  });

  test("of a logo, except that anyone may cache it for a day", async () => {
    const answer = await service.call("GET", "/logos/oura.svg", { key: null });
    expect(answer.status).toBe(200);
    expectProtections(answer, "public, max-age=86400");
  });
});
