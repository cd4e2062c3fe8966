import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import { generateApiKey, parseKeyId, sha256, toStoredKey, verifyApiKey } from "../../../lib/crypto/api-key.ts";
import { type DataKeyProvider, EnvelopeEncryption } from "../../../lib/crypto/envelope-encryption.ts";
import { generateWebhookSecret, signWebhook } from "../../../lib/crypto/webhook-signature.ts";

describe("an API key", () => {
  const made = generateApiKey("sk_us", randomBytes);
  /** The text with its valid checksum. */
  const summed = (text: string, rest = "") => `${text}_${sha256(`${text}${rest && "_"}`).slice(0, 6)}${rest}`;

  test("starts with its prefix, contains its id and masks all but its end", () => {
    expect(made.key).toMatch(/^sk_us_[0-9a-v]{8}_[\w-]{43}_[0-9a-f]{6}$/);
    expect(parseKeyId(made.key)).toBe(made.key_id);
    expect(made.masked).toBe(`${made.key_id}_…${made.key.slice(-4)}`);
    expect(made.key.startsWith(`${made.key_id}_`)).toBe(true);
  });

  test("is stored only as a hash that no other key matches", () => {
    const other = generateApiKey("sk_us", randomBytes);
    expect(toStoredKey(made.key)).toEqual({ key_id: made.key_id, sha256: made.sha256, masked: made.masked });
    expect(made.sha256).toBe(sha256(made.key));
    expect(verifyApiKey(made.key, made.sha256)).toBe(true);
    expect(verifyApiKey(other.key, made.sha256)).toBe(false);
  });

  test.each([
    ["an empty text", ""],
    ["another prefix", "xx_us_00000000_"],
    ["a character of its secret changed", made.key.replace(/.(?=.{7}$)/, (last) => (last === "A" ? "B" : "A"))],
    ["its checksum changed", made.key.slice(0, -1) + (made.key.endsWith("0") ? "1" : "0")],
    ["text behind it", `${made.key}0`],
    ["a line break behind it", `${made.key}\n`],
    ["text before it that its checksum covers", summed(`x${made.key.slice(0, -7)}`)],
    ["text behind a valid checksum", summed(made.key.slice(0, -7), "x")],
  ])("with %s is invalid", (_, text) => {
    expect(parseKeyId(text)).toBeUndefined();
    expect(() => toStoredKey(text)).toThrow("does not have the format");
  });
});

describe("an encrypted secret", () => {
  const context = { purpose: "webhook-secret", team_id: "t1", record: "e1", field: "secret" };

  /** Fake KMS data keys. A wrapped key unwraps only with its own encryption context. */
  function dataKeys(): DataKeyProvider & { unwrapped: number } {
    const kept = new Map<string, { plain: Uint8Array; context: string }>();
    return {
      unwrapped: 0,
      async generate(about) {
        const [plain, wrapped] = [randomBytes(32), randomBytes(40)];
        kept.set(wrapped.toString("hex"), { plain, context: JSON.stringify(about) });
        return { plain, wrapped };
      },
      async unwrap(wrapped) {
        this.unwrapped += 1;
        return kept.get(Buffer.from(wrapped).toString("hex"))?.plain ?? randomBytes(32);
      },
    };
  }

  test("decrypts to its plaintext and has a new ciphertext each time", async () => {
    const envelopes = new EnvelopeEncryption(dataKeys());
    const [one, two] = await Promise.all([
      envelopes.encrypt("whsec_ë", context),
      envelopes.encrypt("whsec_ë", context),
    ]);
    expect(one).not.toBe(two);
    expect(await envelopes.decrypt(one, context)).toBe("whsec_ë");
  });

  test.each(["purpose", "team_id", "record", "field"] as const)("does not decrypt for another %s", async (part) => {
    const envelopes = new EnvelopeEncryption(dataKeys());
    const sealed = await envelopes.encrypt("whsec", context);
    await expect(envelopes.decrypt(sealed, { ...context, [part]: "other" })).rejects.toThrow();
  });

  test("does not decrypt after a bit flip", async () => {
    const envelopes = new EnvelopeEncryption(dataKeys());
    const sealed = Buffer.from(await envelopes.encrypt("whsec", context), "base64");
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      await expect(envelopes.decrypt(altered.toString("base64"), context), `byte ${at}`).rejects.toThrow();
    }
  });

  test("unwraps its data key once", async () => {
    const keys = dataKeys();
    const envelopes = new EnvelopeEncryption(keys);
    const sealed = await envelopes.encrypt("whsec", context);
    await envelopes.decrypt(sealed, context);
    await envelopes.decrypt(sealed, context);
    expect(keys.unwrapped).toBe(1);
  });
});

describe("a webhook's signature", () => {
  const body = JSON.stringify({ event_type: "daily.data.steps.created", data: { name: "Zoë" } });
  const timestampS = Math.floor(Date.now() / 1000);
  const [secret, other] = [generateWebhookSecret(randomBytes), generateWebhookSecret(randomBytes)];
  const headersOf = (family: string, secrets: string[]) => ({
    [`${family}-id`]: "evt_1",
    [`${family}-timestamp`]: String(timestampS),
    [`${family}-signature`]: signWebhook(secrets, "evt_1", timestampS, body),
  });

  test("passes independent verifiers of both header families", () => {
    expect(new StandardWebhook(secret).verify(body, headersOf("webhook", [secret]))).toEqual(JSON.parse(body));
    expect(() => new SvixWebhook(secret).verify(body, headersOf("svix", [secret]))).not.toThrow();
    expect(() => new SvixWebhook(other).verify(body, headersOf("svix", [secret]))).toThrow();
  });

  test("passes with either secret during a rotation, and with no third secret", () => {
    const headers = headersOf("webhook", [secret, other]);
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new StandardWebhook(other).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new StandardWebhook(generateWebhookSecret(randomBytes)).verify(body, headers)).toThrow();
  });

  test("covers this body only", () => {
    expect(() => new StandardWebhook(secret).verify(`${body} `, headersOf("webhook", [secret]))).toThrow();
  });
});
