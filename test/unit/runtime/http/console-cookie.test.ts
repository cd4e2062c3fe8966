import { afterEach, expect, test } from "vitest";
import { consoleCookie, consoleToken, expiredConsoleCookie } from "../../../../lib/runtime/http/console-cookie.ts";

const before = process.env.BASE_URL;
afterEach(() => {
  if (before === undefined) delete process.env.BASE_URL;
  else process.env.BASE_URL = before;
});

test("over HTTPS the cookie is Secure, and its name binds it to the host", () => {
  process.env.BASE_URL = "https://api.example.com";
  const attributes = "Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure";
  expect(consoleCookie("cs_a", 60)).toBe(`__Host-tributary_console=cs_a; ${attributes}`);
  expect(expiredConsoleCookie()).toBe(`__Host-tributary_console=; ${attributes.replace("60", "0")}`);
  expect(consoleToken(["a=b", "__Host-tributary_console=cs_a"])).toBe("cs_a");
  // Another host of the domain can set a cookie without the prefix.
  expect(consoleToken(["tributary_console=cs_a"])).toBeUndefined();
});

test("over plain HTTP of a local start the cookie has neither", () => {
  process.env.BASE_URL = "http://127.0.0.1:3000";
  expect(consoleCookie("cs_a", 60)).toBe("tributary_console=cs_a; Path=/; Max-Age=60; HttpOnly; SameSite=Strict");
  expect(consoleToken(["tributary_console="])).toBeUndefined();
});
