import { afterEach, expect, test, vi } from "vitest";
import { EDGE_SECRET } from "../../../../lib/contract/edge-secret.ts";
import { addressGroup, callerAddress } from "../../../../lib/runtime/callers/caller-address.ts";

afterEach(() => vi.unstubAllEnvs());
const from = (sourceIp: string, forwarded?: string) =>
  ({ headers: { "x-forwarded-for": forwarded }, requestContext: { http: { sourceIp } } }) as unknown as Parameters<
    typeof callerAddress
  >[0];

test("without CloudFront the caller address is the source IP of the API, regardless of client headers", () => {
  expect(callerAddress(from("192.0.2.1", "198.51.100.9, 192.0.2.1"))).toBe("192.0.2.1");
});

test("behind CloudFront the caller address is the one that CloudFront appends, regardless of client headers", () => {
  vi.stubEnv(EDGE_SECRET, "secret");
  expect(callerAddress(from("203.0.113.7", "198.51.100.9, 192.0.2.1, 203.0.113.7"))).toBe("192.0.2.1");
  expect(callerAddress(from("203.0.113.7", "198.51.100.9, 192.0.2.1"))).toBe("192.0.2.1");
  expect(callerAddress(from("203.0.113.7"))).toBe("203.0.113.7");
  expect(callerAddress(from("203.0.113.7", "203.0.113.7"))).toBe("203.0.113.7");
});

test("addresses of one subscriber share a group, other addresses usually do not, and no group reveals an address", () => {
  const group = (address: string) => addressGroup(from(address));
  expect(group("2001:db8:1:2::1")).toBe(group("2001:0DB8:0001:0002:ffff:0:0:9"));
  expect(group("2001:db8:1:2::1")).not.toBe(group("2001:db8:1:3::1"));
  expect(group("2001:db8::1")).toBe(group("2001:db8:0:0:5::"));
  expect(group("::ffff:192.0.2.1")).toBe(group("192.0.2.1"));
  expect(group("192.0.2.1")).not.toBe(group("192.0.2.2"));
  expect(group("192.0.2.1")).toMatch(/^[0-9a-f]{4}$/);
});
