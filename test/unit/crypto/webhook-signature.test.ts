// @module-tag share
import fc from "fast-check";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signWebhook } from "../../../lib/crypto/webhook-signature.ts";
import { chooseCount } from "../../support/depth.ts";

const NOW_MS = Date.UTC(2029, 6, 1);
const TOLERANCE_S = 300;
const BITS_OF_ASCII = 7;

beforeEach(() => vi.useFakeTimers({ now: NOW_MS, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

interface Message {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Buffer;
  readonly signature: string;
}

/** The random parts of a message. */
interface Drawn {
  readonly id: string;
  readonly timestampS: number;
  readonly text: string;
  readonly secrets: readonly string[];
}

const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
const drawn = fc.record({
  id: fc.stringMatching(/^evt_[a-z2-7]{26}$/),
  timestampS: fc.integer({ min: -TOLERANCE_S, max: TOLERANCE_S }).map((offS) => NOW_MS / 1000 + offS),
  text: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()).map((value) => JSON.stringify(value)),
  secrets: fc.uniqueArray(secret, { minLength: 1, maxLength: 2 }),
});

const signed = ({ id, timestampS, text, secrets }: Drawn): Message => ({
  id,
  timestamp: String(timestampS),
  body: Buffer.from(text),
  signature: signWebhook(secrets, id, timestampS, text),
});

const isTaken = (verify: () => unknown): boolean => {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
};

/** The verdicts of both packages on a message: one by its own header family, the other by both. */
function verdicts({ id, timestamp, body, signature }: Message, key: string): boolean[] {
  const headersOf = (family: string) => ({
    [`${family}-id`]: id,
    [`${family}-timestamp`]: timestamp,
    [`${family}-signature`]: signature,
  });
  const [standard, svix] = [new StandardWebhook(key), new SvixWebhook(key)];
  return [
    isTaken(() => standard.verify(body, headersOf("webhook"))),
    isTaken(() => svix.verify(body, headersOf("svix"))),
    isTaken(() => svix.verify(body, headersOf("webhook"))),
  ];
}

const ALL = [true, true, true];
const NONE = [false, false, false];

/** The bytes with one flipped bit. */
function flipped(bytes: Buffer, bit: number, bitsOfByte = 8): Buffer {
  const changed = Buffer.from(bytes);
  const at = Math.floor(bit / bitsOfByte);
  changed.writeUInt8(changed.readUInt8(at) ^ (1 << (bit % bitsOfByte)), at);
  return changed;
}

const flippedText = (text: string, bit: number) =>
  flipped(Buffer.from(text, "latin1"), bit, BITS_OF_ASCII).toString("latin1");

/** All messages that differ in a single bit of one part. */
function* altered(message: Message): Generator<[part: string, message: Message]> {
  for (const part of ["id", "timestamp", "signature"] as const) {
    for (let bit = 0; bit < message[part].length * BITS_OF_ASCII; bit++) {
      yield [`${part} ${bit}`, { ...message, [part]: flippedText(message[part], bit) }];
    }
  }
  for (let bit = 0; bit < message.body.length * 8; bit++) {
    yield [`body ${bit}`, { ...message, body: flipped(message.body, bit) }];
  }
}

describe("a signed webhook", () => {
  test("passes independent packages with each of its secrets, for any content", () => {
    fc.assert(
      fc.property(drawn, (about) => {
        const message = signed(about);
        for (const key of about.secrets) expect(verdicts(message, key)).toEqual(ALL);
      }),
      { numRuns: chooseCount(40, 200) },
    );
  });

  test("fails with another secret", () => {
    fc.assert(
      fc.property(drawn, secret, (about, other) => {
        fc.pre(!about.secrets.includes(other));
        expect(verdicts(signed(about), other)).toEqual(NONE);
      }),
      { numRuns: chooseCount(25, 100) },
    );
  });

  test("fails after any bit flip in its id, timestamp, body or signature", { tags: "deep" }, () => {
    const [key = "", before = ""] = fc.sample(secret, { numRuns: 2, seed: 1 });
    const text = JSON.stringify({ event_type: "daily.data.steps.created", data: { name: "Zoë 😀" } });
    const about = { id: `evt_${"a7".repeat(13)}`, timestampS: NOW_MS / 1000, text };
    const message = signed({ ...about, secrets: [key] });
    expect(verdicts(message, key)).toEqual(ALL);
    const taken = [...altered(message)].filter(([, changed]) => verdicts(changed, key).includes(true));
    expect(taken.map(([what]) => what)).toEqual([]);
    // One of two signatures is enough: a flipped bit in the other only makes an unknown signature.
    const [mine = "", others = ""] = signed({ ...about, secrets: [key, before] }).signature.split(" ");
    expect(verdicts({ ...message, signature: `${mine} ${flippedText(others, 40)}` }, key)).toEqual(ALL);
    expect(verdicts({ ...message, signature: `${flippedText(mine, 40)} ${others}` }, key)).toEqual(NONE);
  });

  test("fails after a random bit flip in a random message", { tags: "deep" }, () => {
    fc.assert(
      fc.property(drawn, fc.nat(), (about, bit) => {
        const [key = ""] = about.secrets;
        const changes = [...altered(signed({ ...about, secrets: [key] }))];
        const taken = changes.filter(
          ([, changed], place) => place === bit % changes.length && verdicts(changed, key)[0],
        );
        expect(taken).toEqual([]);
      }),
      { numRuns: chooseCount(20, 60) },
    );
  });

  test("fails more than five minutes early or late", () => {
    fc.assert(
      fc.property(drawn, fc.constantFrom(-1, 1), fc.integer({ min: 1, max: 1_000_000 }), (about, side, offS) => {
        const late = { ...about, timestampS: NOW_MS / 1000 + side * (TOLERANCE_S + offS) };
        expect(verdicts(signed(late), about.secrets[0] ?? "")).toEqual(NONE);
      }),
      { numRuns: chooseCount(25, 100) },
    );
  });
});
