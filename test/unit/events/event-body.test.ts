import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareSampleKeys, type Sample } from "../../../lib/domain/timeseries/chunk/sample.ts";
import { type KnownResource, timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { timeseriesEvents } from "../../../lib/events/constructors/data-events.ts";
import { wireSourceOf } from "../../../lib/runtime/wire-source.ts";
import { decodeBody, encodeBody, encodeText } from "../../../lib/store/events/event-body.ts";
import { anySample } from "../timeseries/chunk/arbitrary-chunks.ts";

const NOW = "2026-05-01T08:00:00.000Z";
const SORTED_FORM = 1;
const GZIP_FORM = 0x1f;
const user = newUser({ client_user_id: "c" }, { userId: "7ea7-u", teamId: "7ea7-t" }, NOW);
const source = wireSourceOf({ provider: "oura", type: "ring", device_id: null });
const resources: readonly KnownResource[] = timeseriesResources;

/** The event of these samples, as storing them composes it. */
function composed(resource: KnownResource, samples: readonly Sample[]) {
  const positions = samples.map((sample, position) => ({ sample, position: position % 20 }));
  const [event] = timeseriesEvents({ user, source, receiptId: "r" }, resource, "created", positions);
  return event ?? expect.fail("no event");
}

/** The body in its stored form. Checks that it reads as it was composed, byte for byte. */
function encoded(resource: KnownResource, samples: readonly Sample[]): Uint8Array {
  const event = composed(resource, samples);
  const bytes = encodeBody(event.body, event.samples);
  expect(decodeBody(bytes)).toBe(JSON.stringify(event.body));
  return bytes;
}

/** Samples with values for the fields of a resource. */
const samplesOf = ({ fields }: KnownResource) => {
  const value = fc.oneof(fc.integer(), fc.constantFrom(-0, null, "food", "\ud800"), fc.constant(["food", "exercise"]));
  const own = fc.record(Object.fromEntries(fields.map(({ name }) => [name, value])));
  const sample = fc.tuple(anySample, own).map(([any, values]) => ({ ...any, fields: { ...any.fields, ...values } }));
  return fc.array(sample, { minLength: 1, maxLength: 12 });
};

/** Sorts samples and keeps one of each key. */
const inOrder = (samples: readonly Sample[]) =>
  samples
    .toSorted(compareSampleKeys)
    .filter((sample, place, all) => place === 0 || compareSampleKeys(all[place - 1] as Sample, sample) !== 0);

const hours = (count: number): Sample[] =>
  Array.from({ length: count }, (_, hour) => ({
    start: Date.parse(NOW) + hour * 3_600_000,
    value: 60 + (hour % 7),
    offsetS: 7_200,
    type: null,
  }));

describe("the body of an event with samples", () => {
  test.each(resources)("of $name reads as it was composed", { tags: "deep" }, (resource) => {
    fc.assert(
      fc.property(samplesOf(resource), (samples) => {
        encoded(resource, samples);
        encoded(resource, inOrder(samples));
      }),
      { numRuns: 25, seed: 20_260_302 },
    );
  });

  test.each(resources)(
    "of $name is in columns for sorted samples, which are shorter than compressed text",
    (resource) => {
      const samples = hours(100).map((sample) => (resource.value === "string" ? { ...sample, value: "a" } : sample));
      const bytes = encoded(resource, samples.slice(0, 20));
      expect(bytes[0]).toBe(SORTED_FORM);
      const event = composed(resource, samples);
      const all = encodeBody(event.body, event.samples);
      expect(all.length).toBeLessThan(encodeText(JSON.stringify(event.body)).length / 2);
    },
  );

  test.each([
    ["unsorted", hours(3).reverse()],
    ["repeated", [...hours(2), ...hours(2).slice(1)]],
  ])("is compressed text for samples that are %s", (_, samples) => {
    expect(encoded(resources[0]!, samples)[0]).toBe(GZIP_FORM);
  });

  test("is compressed text when it does not list exactly these samples", () => {
    const { body, samples } = composed(resources[0]!, hours(3));
    const others = { resource: resources[0]!.name, samples: samples!.samples.slice(1) };
    const bytes = encodeBody(body, others);
    expect(bytes[0]).toBe(GZIP_FORM);
    expect(decodeBody(bytes)).toBe(JSON.stringify(body));
  });

  test("keeps the zero sign as JSON does, and values of every length", () => {
    const values = [-0, 0, 0.1, -1e-7, 1e21, 2 ** 53, 5e-324];
    const samples = values.map((value, place) => ({ ...hours(9)[place]!, value }));
    expect(encoded(resources[0]!, samples)[0]).toBe(SORTED_FORM);
  });
});

describe("corrupt bytes of a body", () => {
  const bytes = encoded(resources[0]!, hours(20));
  const text = encodeText("{}");

  test("are refused when they end early, in either form", () => {
    for (const whole of [bytes, text])
      for (let length = 0; length < whole.length; length++)
        expect(() => decodeBody(whole.subarray(0, length)), `${length} bytes`).toThrow();
  });

  test("are refused when more follow", () => {
    expect(() => decodeBody(Uint8Array.from([...bytes, 0]))).toThrow();
  });

  test("are refused in another form, or of an unknown resource", () => {
    for (const form of [0, 2, GZIP_FORM])
      expect(() => decodeBody(Uint8Array.from([form, ...bytes.slice(1)]))).toThrow();
    const { body, samples } = composed(resources[0]!, hours(2));
    expect(() => encodeBody(body, { resource: "none", samples: samples!.samples })).toThrow("unknown resource");
  });
});
