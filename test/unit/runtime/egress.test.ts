import { afterEach, describe, expect, test, vi } from "vitest";
import { EgressRefused, isGlobalAddress, resolveForEgress } from "../../../lib/runtime/egress.ts";

describe("an IP address", () => {
  test.each(["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"])(
    "like %s is on the public internet",
    (address) => expect(isGlobalAddress(address)).toBe(true),
  );

  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "198.19.0.1",
    "203.0.113.7",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "not an address",
    "",
  ])("like %j is not on the public internet", (address) => expect(isGlobalAddress(address)).toBe(false));
});

describe("a webhook's URL", () => {
  const refusal = (url: string) => resolveForEgress(new URL(url)).catch((error: unknown) => error);
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ["another scheme", "http://example.com/hook", "https"],
    ["credentials", "https://user:password@example.com/", "credentials"],
    ["credentials for a loopback receiver", "http://user:password@127.0.0.1:3000/", "credentials"],
    ["a port of another service", "https://example.com:6379/", "port"],
    ["a port below that of HTTPS", "https://example.com:80/", "port"],
    ["an IPv4 address", "https://127.0.0.1/", "host"],
    ["an IPv4 address in another notation", "https://0x7f.1/", "host"],
    ["an IPv6 address", "https://[::1]/", "host"],
    ["a bare name", "https://localhost/", "full domain name"],
    ["a name with a final dot", "https://example.com./", "full domain name"],
    ["a loopback receiver", "http://127.0.0.1:3000/inbox", "https"],
  ])("with %s is rejected", async (_, url, reason) => {
    const error = await refusal(url);
    expect(error).toBeInstanceOf(EgressRefused);
    expect(String(error)).toContain(reason);
  });

  test("may be a loopback receiver in the local cloud, with or without TLS, and no other private address", async () => {
    vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1");
    expect(await refusal("http://127.0.0.1:3000/inbox")).toEqual({ address: "127.0.0.1", family: 4 });
    expect(await refusal("http://127.0.0.2:3000/inbox")).toBeInstanceOf(EgressRefused);
    expect(await refusal("https://127.0.0.1:3000/inbox")).toEqual({ address: "127.0.0.1", family: 4 });
    expect(await refusal("https://127.0.0.2:3000/inbox")).toBeInstanceOf(EgressRefused);
    expect(await refusal("ftp://127.0.0.1:3000/inbox")).toBeInstanceOf(EgressRefused);
  });

  test("may not be a loopback receiver inside Lambda, regardless of other settings", async () => {
    vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1");
    vi.stubEnv("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001");
    expect(await refusal("http://127.0.0.1:9001/2018-06-01/runtime/invocation/next")).toBeInstanceOf(EgressRefused);
  });
});
