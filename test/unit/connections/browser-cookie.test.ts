import { afterEach, expect, test, vi } from "vitest";
import {
  browserCookie,
  browserSecret,
  expiredBrowserCookie,
} from "../../../lib/services/connections/oauth/browser-cookie.ts";

afterEach(() => vi.unstubAllEnvs());
const pairOf = (cookie: string) => cookie.split(";")[0] ?? "";

test("the cookie of an attempt is limited to the service's own host and to HTTPS", () => {
  vi.stubEnv("BASE_URL", "https://api.example.com");
  const cookie = browserCookie("os_state", "secret");
  expect(cookie).toMatch(
    /^__Host-tributary-oauth-\w{16}=secret; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookie).not.toContain("os_state");
  expect(browserSecret(["other=1", pairOf(cookie)], "os_state")).toBe("secret");
  expect(expiredBrowserCookie("os_state")).toMatch(/^__Host-tributary-oauth-\w{16}=; Path=\/; Max-Age=0; .*Secure$/);
});

test("a cookie that a plain HTTP site may have set is ignored when the service uses HTTPS", () => {
  vi.stubEnv("BASE_URL", "http://127.0.0.1:4000");
  const plain = pairOf(browserCookie("os_state", "secret"));
  expect(browserSecret([plain], "os_state")).toBe("secret");
  vi.stubEnv("BASE_URL", "https://api.example.com");
  expect(browserSecret([plain], "os_state")).toBeUndefined();
});

test("an empty cookie and the cookie of another attempt are ignored", () => {
  vi.stubEnv("BASE_URL", "https://api.example.com");
  const other = pairOf(browserCookie("os_other", "secret"));
  expect(browserSecret([other, pairOf(expiredBrowserCookie("os_state"))], "os_state")).toBeUndefined();
  expect(browserSecret([], "os_state")).toBeUndefined();
});
