import fc from "fast-check";
import { expect, test } from "vitest";
import { SentKeys } from "../../../../lib/connectors/imports/sending/sent-keys.ts";

const source = { type: "watch", deviceId: "a", appId: null } as const;
const sample = (key: number) => ({ resource: "steps", source, key, content: {} });

test("finds every repeated start of a source, and no other", { tags: "deep" }, () => {
  const starts = fc.array(fc.oneof(fc.integer({ min: -1e12, max: 2e12 }), fc.nat(50)), {
    size: "max",
    maxLength: 2_000,
  });
  fc.assert(
    fc.property(starts, (keys) => {
      const [sent, expected] = [new SentKeys(), new Set<number>()];
      for (const key of keys) {
        expect(sent.add(sample(key))).toBe(!expected.has(key));
        expected.add(key);
      }
    }),
  );
});

test("the device tells samples and sleeps apart, not summaries with the provider's id", () => {
  const other = { ...source, deviceId: "b" };
  const run = { resource: "workouts", source, key: "w", content: { provider_id: "w" } };
  const sleep = { resource: "sleep", source, key: "2024-03-05T22:00:00Z", content: { provider_id: "s" } };
  const sent = new SentKeys();
  const added = [sample(1), { ...sample(1), source: other }, run, { ...run, source: other }, sleep].map((one) =>
    sent.add(one),
  );
  expect(added).toEqual([true, true, true, false, true]);
  expect(sent.add({ ...sleep, source: other })).toBe(true);
  expect(sent.add(sleep)).toBe(false);
});
