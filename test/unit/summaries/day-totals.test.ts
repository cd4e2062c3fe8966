import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { floatingTimeConverter, instantsOfDays, localDayConverter } from "../../../lib/domain/shared/local-day.ts";
import { slicesOfDays, totalDay } from "../../../lib/domain/summaries/day-totals.ts";
import {
  type ActivityInput,
  activityInputs,
  deriveDailyActivity,
} from "../../../lib/domain/summaries/derive-daily-activity.ts";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import { bucketStart } from "../../../lib/domain/timeseries/chunk/time-bucket.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";

const DAY = 20_574;
const MIDNIGHT = DAY * 86_400_000;
const MINUTE = 60_000;
const floatingOf = floatingTimeConverter("UTC");

/** A sample: minutes of its start and end since midnight, and its value. */
type Minutes = readonly [start: number, end: number, value: number];

interface Recorded {
  readonly device?: string | null;
  readonly app?: string | null;
  readonly samples: readonly Minutes[];
}

const sliceOf = ({ device = null, app = null, samples }: Recorded) => {
  const stored = samples.map(([start, end, value]) => ({
    start: MIDNIGHT + start * MINUTE,
    end: MIDNIGHT + end * MINUTE,
    value,
    offsetS: 0,
    type: null,
    run: 0,
  }));
  const columns = chunkToColumns({ samples: stored, runs: [] });
  const source = { provider: "garmin", sourceType: "watch", deviceId: device, appId: app };
  return { ...source, columns, from: 0, to: samples.length };
};
const total = (input: ActivityInput, ...recorded: readonly Recorded[]) =>
  totalDay(getResource(input), recorded.map(sliceOf), DAY, floatingOf);

describe("several devices of a source", () => {
  const left = {
    device: "left",
    samples: [
      [0, 10, 100],
      [20, 30, 100],
    ],
  } as const;
  const right = {
    device: "right",
    samples: [
      [5, 15, 40],
      [25, 30, 20],
      [40, 50, 7],
    ],
  } as const;

  test("count time that both cover once, for the device whose id sorts first", () => {
    expect(total("steps", right, left)).toEqual({
      count: 4,
      sum: 227,
      min: 7,
      max: 100,
      parts: [
        { device_id: "left", app_id: null, count: 2, sum: 200 },
        { device_id: "right", app_id: null, count: 2, sum: 27 },
      ],
    });
  });

  test("give the same total in any order, whatever other days are read with it", () => {
    const other = {
      device: "left",
      samples: [
        [-3_000, -2_990, 1],
        [4_000, 4_010, 1],
      ],
    } as const;
    const expected = total("steps", left, right);
    const orders = fc.shuffledSubarray([left, right, other], { minLength: 2 });
    fc.assert(
      fc.property(orders, (order) => {
        fc.pre(order.includes(left) && order.includes(right));
        expect(total("steps", ...order)).toEqual(expected);
      }),
    );
  });

  test("count a minute of heart rate once, and samples of unnamed devices where no named one measures", () => {
    const unnamed = {
      samples: [
        [60, 60, 90],
        [61, 61, 100],
      ],
    } as const;
    const named = {
      device: "left",
      samples: [
        [60, 60, 70],
        [60.5, 60.5, 80],
      ],
    } as const;
    expect(total("heartrate", unnamed, named)).toMatchObject({ count: 3, sum: 250, min: 70, max: 100 });
  });

  test("are two apps of one device too; samples of another day do not compete", () => {
    const early = { device: "left", app: "a", samples: [[-10, 10, 100]] } as const;
    const late = { device: "left", app: "b", samples: [[0, 20, 100]] } as const;
    expect(total("steps", early, late)?.sum).toBe(100);
    expect(total("steps", { ...early, samples: [[5, 25, 100]] }, late)?.sum).toBe(125);
  });

  test("are named in the derived summary with their shares", () => {
    const totals = new Map([["steps", total("steps", left, right)]] as const);
    const { fields } = deriveDailyActivity("2026-05-01", totals);
    expect(fields.derived_from).toEqual({
      steps: [
        { device_id: "left", app_id: null, share: 0.881 },
        { device_id: "right", app_id: null, share: 0.119 },
      ],
    });
    const next = new Map([["steps", total("steps", { ...left, device: null })]] as const);
    expect(deriveDailyActivity("2026-05-01", next, fields).fields).not.toHaveProperty("derived_from");
  });
});

const HOUR_S = 3_600;
const samplesOfDays = fc.array(
  fc.record({
    start: fc.integer({ min: Date.UTC(2026, 2, 27), max: Date.UTC(2026, 2, 31) }),
    offsetS: fc.option(fc.integer({ min: -12 * HOUR_S, max: 14 * HOUR_S }), { nil: Number.NaN }),
    value: fc.integer({ min: 0, max: 1_000 }),
    device: fc.constantFrom(null, "left"),
  }),
  { maxLength: 100, size: "max" },
);

test("the samples of all days add up to all samples, in any time zone, with few slices in memory", async () => {
  const resource = getResource("heartrate");
  const zones = fc.constantFrom("Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati");
  await fc.assert(
    fc.asyncProperty(samplesOfDays, zones, async (taken, zone) => {
      const dayOf = localDayConverter(zone);
      const days = [...new Set(taken.map(({ start, offsetS }) => dayOf(start, offsetS)))];
      const buckets = Map.groupBy(
        taken.toSorted((a, b) => a.start - b.start),
        ({ start, device }) => JSON.stringify([bucketStart(start, resource.bucketMs), device]),
      );
      const slices = [...buckets.values()].map((samples) => {
        const stored = samples.map((one) => ({ ...one, end: one.start, type: null, run: 0 }));
        const source = { provider: "garmin", sourceType: "watch", deviceId: samples[0]?.device ?? null, appId: null };
        return { ...source, columns: chunkToColumns({ samples: stored, runs: [] }), from: 0, to: samples.length };
      });
      const read = async function* () {
        yield* slices.toSorted((a, b) => bucketOf(a) - bucketOf(b));
      };
      const bucketOf = (slice: (typeof slices)[number]) => bucketStart(slice.columns.starts[0] ?? 0, resource.bucketMs);
      let counted = 0;
      for await (const [day, ofDay] of slicesOfDays(read(), days, resource)) {
        const alone = slices.filter(({ columns }) => Array.from(columns.starts).some((at) => isNear(at, day)));
        expect(totalDay(resource, ofDay, day, floatingTimeConverter(zone))).toEqual(
          totalDay(resource, alone, day, floatingTimeConverter(zone)),
        );
        const one = slices.filter(({ deviceId }) => deviceId === null && ofDay.length > 0);
        counted += totalDay(resource, one, day, floatingTimeConverter(zone))?.count ?? 0;
      }
      expect(counted).toBe(taken.filter(({ device }) => device === null).length);
    }),
  );
});

function isNear(at: number, day: number): boolean {
  const { fromMs, toMs } = instantsOfDays(day, day);
  return at >= fromMs && at <= toMs;
}

test("inputs without samples have no total", () => {
  for (const input of activityInputs) expect(total(input)).toBeUndefined();
});
