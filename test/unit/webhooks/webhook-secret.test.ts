import { expect, test } from "vitest";
import { webhookSecret } from "../../../lib/events/webhooks/webhook-endpoint.ts";

const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString("base64")}`;
const isAccepted = (secret: string) => webhookSecret.safeParse(secret).success;

test.each([24, 25, 26, 32, 63, 64])("a signing secret may have %i bytes", (count) => {
  expect(isAccepted(ofBytes(count))).toBe(true);
});

test.each([
  ["too few bytes", ofBytes(23)],
  ["too many bytes", ofBytes(65)],
  ["two bytes more than 64", ofBytes(66)],
  ["a length that is not base64", `whsec_${"A".repeat(33)}`],
  ["padding that is not needed", `whsec_${"A".repeat(32)}==`],
  ["missing padding", ofBytes(25).replace(/=+$/, "")],
  ["bits after the last byte", `${ofBytes(25).slice(0, -3)}x==`],
  ["characters of base64url", ofBytes(32).replace("B", "_")],
  ["no prefix", ofBytes(32).slice("whsec_".length)],
])("a signing secret with %s is refused", (_, secret) => {
  expect(isAccepted(secret)).toBe(false);
});
