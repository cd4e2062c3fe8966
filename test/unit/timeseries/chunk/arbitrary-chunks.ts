import fc from "fast-check";
import { buildChunk } from "../../../../lib/domain/timeseries/chunk/runs.ts";
import type { BatchReceipt, Chunk, FieldValue, Run, Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import { compareSampleKeys } from "../../../../lib/domain/timeseries/chunk/sample.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const decimal = fc.tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.nat(6)).map(([n, digits]) => n / 10 ** digits);
/** Any UTF-16 text, including lone surrogates. */
const text = fc.array(fc.nat(0xffff), { maxLength: 6 }).map((units) => String.fromCharCode(...units));
const value = fc.oneof(
  decimal,
  finite,
  fc.constantFrom(-0, 5e-324, 2 ** 53, Number.MAX_VALUE),
  text,
  fc.constant(null),
);
const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(value, fc.array(text, { maxLength: 3 }));
const fieldName = fc.constantFrom("systolic", "tags", "__proto__", "", "constructor");
const instant = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((tick) => 1_740_960_000_000 + tick * 5_000),
  fc.integer({ min: -(2 ** 48), max: 2 ** 48 }),
);

/** Any sample: negative instants, nulls, strings, extra fields, ends before starts. */
const anyLivingSample: fc.Arbitrary<Sample> = fc.record(
  {
    start: instant,
    end: instant,
    value,
    offsetS: fc.oneof(fc.constant(null), fc.integer({ min: -50_400, max: 50_400 })),
    type: fc.oneof(fc.constant(null), text),
    subtype: fc.constantFrom("ldl", "hdl", "\ud800"),
    fields: fc
      .dictionary(fieldName, fieldValue, { minKeys: 1, noNullPrototype: true })
      .map((fields) => Object.fromEntries(Object.entries(fields))),
  },
  { requiredKeys: ["start", "value", "offsetS", "type"] },
);

/** The given samples, one in five of them deleted. */
const orDeleted = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    { weight: 4, arbitrary: samples },
    { weight: 1, arbitrary: samples.map((sample): Sample => ({ ...sample, value: null, isDeleted: true })) },
  );

/** Any sample, possibly deleted. */
export const anySample = orDeleted(anyLivingSample);

const receipt: fc.Arbitrary<BatchReceipt> = fc.record({
  receivedAt: fc.integer({ min: -(2 ** 48), max: 2 ** 48 }),
  batchId: text,
});
const anyRun: fc.Arbitrary<Run> = fc
  .tuple(receipt, fc.constantFrom("created" as const, "updated" as const), fc.option(receipt))
  .map(([origin, verb, confirmedBy]) => ({ ...origin, verb, ...(confirmedBy ? { confirmedBy } : {}) }));

/** Valid chunks of up to 40 samples. */
export const anyChunk: fc.Arbitrary<Chunk> = fc
  .array(fc.record({ sample: anySample, run: anyRun }), { maxLength: 40 })
  .map((entries) => entries.sort((a, b) => compareSampleKeys(a.sample, b.sample)))
  .map((entries) =>
    entries.filter(({ sample }, i) => i === 0 || compareSampleKeys(entries[i - 1]!.sample, sample) !== 0),
  )
  .map(buildChunk);

/** A batch with few keys and few values, so that batches collide. */
export interface Batch {
  receipt: BatchReceipt;
  samples: Sample[];
}

const collidingSample: fc.Arbitrary<Sample> = orDeleted(
  fc.record(
    {
      start: fc.nat(5).map((tick) => tick * 1_000),
      end: fc.nat(1).map((tick) => 9_000 + tick * 1_000),
      value: fc.nat(2),
      offsetS: fc.constant(null),
      type: fc.constant(null),
      subtype: fc.constantFrom("ldl", "hdl"),
    },
    { requiredKeys: ["start", "value", "offsetS", "type"] },
  ),
);

/** Up to 8 batches with distinct batch ids; some share a receive millisecond. */
export const batches: fc.Arbitrary<Batch[]> = fc
  .array(fc.tuple(fc.nat(5), fc.array(collidingSample, { maxLength: 6 })), { minLength: 1, maxLength: 8 })
  .map((drawn) =>
    drawn.map(([receivedAt, samples], index) => ({ receipt: { receivedAt, batchId: `b${(index * 5) % 8}` }, samples })),
  );
