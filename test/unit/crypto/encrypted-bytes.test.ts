import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decryptBytes, ENCRYPTION_OVERHEAD_BYTES, encryptBytes } from "../../../lib/crypto/encrypted-bytes.ts";
import { UserKey } from "../../../lib/crypto/user-key.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const plain = Buffer.from("61 beats");

describe("encrypted bytes", () => {
  const key = randomBytes(32);
  const place = ["samples", "chunk#t#u#heartrate", "2026-05-01T00:00#oura#ring"];

  test("decrypt at their location, and are longer by the overhead", () => {
    const sealed = encryptBytes(key, plain, place);
    expect(text(decryptBytes(key, sealed, place))).toBe("61 beats");
    expect(sealed.length).toBe(plain.length + ENCRYPTION_OVERHEAD_BYTES);
    expect(Buffer.from(sealed).includes("beats")).toBe(false);
  });

  test("differ on each encryption", () => {
    expect(encryptBytes(key, plain, place)).not.toEqual(encryptBytes(key, plain, place));
  });

  test("do not decrypt after any bit flip", () => {
    const sealed = encryptBytes(key, plain, place);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Uint8Array.from(sealed);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decryptBytes(key, altered, place), `bit ${bit}`).toThrow();
    }
  });

  test.each([
    ["another key", randomBytes(32), place],
    ["another record", key, [...place.slice(0, 2), "2026-05-01T00:30#oura#ring"]],
    ["the same text in other parts", key, [place[0] ?? "", `${place[1]},${place[2]}`]],
    ["one part fewer", key, place.slice(0, 2)],
  ])("do not decrypt with or for %s", (_, otherKey, otherPlace) => {
    expect(() => decryptBytes(otherKey, encryptBytes(key, plain, place), otherPlace)).toThrow();
  });

  test.each([["plain bytes"], [""], ["\u0001"]])("are distinguished from %j", (unsealed) => {
    expect(() => decryptBytes(key, Buffer.from(unsealed), place)).toThrow("not in a known encryption format");
  });

  test("are rejected when truncated", () => {
    const sealed = encryptBytes(key, plain, place);
    for (let length = 0; length < sealed.length; length++)
      expect(() => decryptBytes(key, sealed.subarray(0, length), place)).toThrow();
  });
});

describe("a user's key", () => {
  const teamKey = randomBytes(32);
  const owner = { team_id: "t", user_id: "u" };
  const key = UserKey.generate(owner);

  test("round-trips through wrapping", () => {
    const again = UserKey.unwrap(key.wrap(teamKey), teamKey, owner);
    expect(text(again.decrypt(key.encrypt(plain, ["samples"]), ["samples"]))).toBe("61 beats");
  });

  test.each([
    ["another user", { team_id: "t", user_id: "v" }],
    ["another team", { team_id: "s", user_id: "u" }],
  ])("is not unwrapped for %s", (_, other) => {
    expect(() => UserKey.unwrap(key.wrap(teamKey), teamKey, other)).toThrow();
  });

  test("is not unwrapped by the key of another team", () => {
    expect(() => UserKey.unwrap(key.wrap(teamKey), randomBytes(32), owner)).toThrow();
  });

  test("decrypts nothing of another user at the same location", () => {
    expect(() => UserKey.generate({ team_id: "t", user_id: "v" }).decrypt(key.encrypt(plain, ["p"]), ["p"])).toThrow();
  });
});
