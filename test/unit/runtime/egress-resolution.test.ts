import type { LookupAddress } from "node:dns";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const answers: LookupAddress[] = [];
let egress: typeof import("../../../lib/runtime/egress.ts");
beforeAll(async () => {
  vi.resetModules();
  vi.doMock("node:dns/promises", () => ({ lookup: async () => answers }));
  egress = await import("../../../lib/runtime/egress.ts");
});
beforeEach(() => {
  answers.length = 0;
});
afterAll(() => {
  vi.doUnmock("node:dns/promises");
  vi.resetModules();
});

/** Resolves a webhook host name that has these addresses. */
async function resolve(...addresses: string[]) {
  answers.push(...addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  return egress.resolveForEgress(new URL("https://hooks.example.com:8443/hook")).catch((error: unknown) => error);
}

describe("a host name", () => {
  test("is resolved once, and the checked address is used for the connection", async () => {
    expect(await resolve("93.184.215.14")).toEqual({ address: "93.184.215.14", family: 4 });
  });

  test("is reached over IPv4 when it has an IPv4 address", async () => {
    expect(await resolve("2606:4700::1111", "1.1.1.1")).toEqual({ address: "1.1.1.1", family: 4 });
    answers.length = 0;
    expect(await resolve("2606:4700::1111")).toEqual({ address: "2606:4700::1111", family: 6 });
  });

  test.each([
    [["127.0.0.1"]],
    [["1.1.1.1", "169.254.169.254"]],
    [["10.0.0.1", "1.1.1.1"]],
    [["2606:4700::1111", "::1"]],
    [["1.1.1.1", "::ffff:127.0.0.1"]],
    [["fd00:ec2::254"]],
    [[]],
  ])("that resolves to %j is rejected", async (addresses) => {
    expect(await resolve(...addresses)).toBeInstanceOf(egress.EgressRefused);
  });
});
