import { describe, expect, test } from "vitest";
import { hasValidSignature } from "../../../lib/local/inbox/webhook-verification.ts";
import { eventBody, NOW, SECRET, signedWebhook } from "./signed-webhook.ts";

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const MINUTE_MS = 60_000;
const body = eventBody("daily.data.steps.created", { note: "é 日" });

describe("a received webhook", () => {
  test.each([["svix"], ["webhook"]])("is verified by its %s headers", (family) => {
    expect(hasValidSignature(signedWebhook(body, { families: [family] }), SECRET, NOW)).toBe(true);
  });

  test("is verified if one of several signatures is valid, as during a rotation of the secret", () => {
    expect(hasValidSignature(signedWebhook(body, { secrets: [OTHER_SECRET, SECRET] }), SECRET, NOW)).toBe(true);
  });

  test("is not verified if it was signed with another secret", () => {
    expect(hasValidSignature(signedWebhook(body, { secrets: [OTHER_SECRET] }), SECRET, NOW)).toBe(false);
  });

  test("is not verified if its body changed, even by a space", () => {
    expect(hasValidSignature({ ...signedWebhook(body), body: `${body} ` }, SECRET, NOW)).toBe(false);
  });

  test.each([["svix-id"], ["svix-timestamp"], ["svix-signature"]])("is not verified without %s", (name) => {
    const { headers } = signedWebhook(body);
    const { [name]: _, ...others } = headers;
    expect(hasValidSignature({ headers: others, body }, SECRET, NOW)).toBe(false);
  });

  test("is not verified if its id is empty, even if it was signed so", () => {
    expect(hasValidSignature(signedWebhook(body, { id: "" }), SECRET, NOW)).toBe(false);
  });

  test("is not verified if one of two header families is wrong", () => {
    const { headers } = signedWebhook(body, { families: ["svix", "webhook"] });
    expect(hasValidSignature({ headers, body }, SECRET, NOW)).toBe(true);
    expect(hasValidSignature({ headers: { ...headers, "webhook-id": "msg_2" }, body }, SECRET, NOW)).toBe(false);
  });

  test.each([
    ["5 minutes late", NOW - 5 * MINUTE_MS, true],
    ["5 minutes early", NOW + 5 * MINUTE_MS, true],
    ["more than 5 minutes late", NOW - 5 * MINUTE_MS - 1000, false],
    ["more than 5 minutes early", NOW + 5 * MINUTE_MS + 1000, false],
  ])("that is %s is verified against the given clock, not real time", (_, atMs, expected) => {
    expect(hasValidSignature(signedWebhook(body, { atMs }), SECRET, NOW)).toBe(expected);
  });

  test("is not verified if its timestamp is not a number of seconds", () => {
    const { headers } = signedWebhook(body);
    const timestamp = `${headers["svix-timestamp"]}.0`;
    expect(hasValidSignature({ headers: { ...headers, "svix-timestamp": timestamp }, body }, SECRET, NOW)).toBe(false);
  });

  test.each([["whsec_not base64!"], ["whsec_"]])("is not verified by the invalid secret %j", (secret) => {
    expect(hasValidSignature(signedWebhook(body), secret, NOW)).toBe(false);
  });
});
