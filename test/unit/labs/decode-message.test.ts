import { expect, test } from "vitest";
import { decodeMessage } from "../../../lib/labs/decode-message.ts";

const header = (characterSet: string) =>
  `MSH|^~\\&|LIS|LAB|||20260304||ORU^R01|M1|P|2.5|||||US|${characterSet}\rOBX|1|ST|A||`;
const latin = (text: string) => Buffer.from(text, "latin1");

test("text in UTF-8 needs no declaration, and loses its byte order mark", () => {
  expect(decodeMessage(Buffer.from("\ufeffcafé"))).toBe("café");
});

test("text in Latin-1 is decoded as MSH-18 or the content type says", () => {
  expect(decodeMessage(latin(`${header("8859/1")}café`))).toMatch(/café$/);
  expect(decodeMessage(latin("café"), "text/plain; charset=ISO-8859-1")).toBe("café");
});

test("the content type outweighs the message", () => {
  expect(decodeMessage(Buffer.from(`${header("8859/1")}café`), 'text/plain; charset="utf-8"')).toMatch(/café$/);
});

test.each([
  ["undeclared bytes", latin("café"), undefined],
  ["bytes that the message declares as ASCII", latin(`${header("ASCII")}café`), undefined],
  ["an unknown encoding", Buffer.from("a"), "text/plain; charset=none"],
])("%s are an error", (_, raw, contentType) => {
  expect(() => decodeMessage(raw, contentType)).toThrow();
});
