import type { SampleBatch } from "../ingest/batch.ts";
import { ingestionBounds } from "../ingest/ingestion-bounds.ts";
import { localDayConverter } from "../shared/local-day.ts";
import type { ResourceName } from "../timeseries/resources.ts";
import { activity } from "./activity.ts";
import type { DayTotal } from "./day-totals.ts";
import { DERIVED_FROM, type DerivedFrom, derivedFrom, sharesOf } from "./derived-from.ts";
import type { AcceptedSummary } from "./summary-kind.ts";

const movement = ["steps", "distance", "calories_active", "floors_climbed", "wheelchair_push"] as const;
const others = ["calories_basal", "heartrate"] as const;

/** The resources that the activity of a day is derived from. */
export const activityInputs = [...movement, ...others] as const satisfies readonly ResourceName[];
export type ActivityInput = (typeof activityInputs)[number];
type Inputs = ReadonlySet<ActivityInput>;

/** Resources of which one sample suffices for a derived activity of its day. */
export const movementInputs: Inputs = new Set(movement);
/** Resources that only add to the activity of a day with movement. */
export const additionalInputs: Inputs = new Set(others);

/**
 * Returns the local days with movement among samples by resource, as days since 1970.
 * @param timeZone the user's time zone, for samples without an offset.
 */
export function movementDays(samples: SampleBatch["samples"], timeZone: string): Set<number> {
  const dayOf = localDayConverter(timeZone);
  const kept = movement.flatMap((name) => samples[name] ?? []).filter(({ isDeleted }) => !isDeleted);
  return new Set(kept.map(({ start, offsetS }) => dayOf(start, offsetS ?? Number.NaN)));
}

/** A derived field: its resources, and its computation from their totals. The day needs samples of all of them. */
interface DerivedField {
  readonly name: string;
  readonly from: readonly ActivityInput[];
  readonly make: (...totals: DayTotal[]) => unknown;
}

/** Rounds to a thousandth; smaller digits are noise of the addition. */
const amount = (...totals: DayTotal[]) =>
  rounded(
    totals.reduce((all, { sum }) => all + sum, 0),
    1_000,
  );
const whole = ({ sum }: DayTotal) => Math.round(sum);
const heartRate = ({ count, sum, min, max }: DayTotal) => ({
  avg_bpm: rounded(sum / count, 10),
  min_bpm: min,
  max_bpm: max,
});

const derivedFields: readonly DerivedField[] = [
  { name: "steps", from: ["steps"], make: whole },
  { name: "distance", from: ["distance"], make: amount },
  { name: "floors_climbed", from: ["floors_climbed"], make: whole },
  { name: "wheelchair_push", from: ["wheelchair_push"], make: whole },
  { name: "calories_active", from: ["calories_active"], make: amount },
  { name: "calories_total", from: ["calories_active", "calories_basal"], make: amount },
  { name: "heart_rate", from: ["heartrate"], make: heartRate },
];

/** The resources to read when samples of `changed` change on a day with a derived summary. */
export function inputsToRead(changed: Inputs): Inputs {
  const fields = derivedFields.filter(({ from }) => from.some((input) => changed.has(input)));
  return new Set(fields.flatMap(({ from }) => from));
}

/** No bounds: every sample was checked when it was accepted. */
const anyTime = { receivedAt: Number.POSITIVE_INFINITY, bounds: ingestionBounds(null, null) };

/**
 * Derives the activity of a day from its samples. Fields whose resources were not all read stay as in `before`. A field
 * is null when its samples exceed what a day can hold. Resting heart rate and minutes of intensity cannot be derived.
 * @param totals totals of the read resources; undefined for resources without a sample.
 */
export function deriveDailyActivity(
  date: string,
  totals: ReadonlyMap<ActivityInput, DayTotal | undefined>,
  before: AcceptedSummary["fields"] = {},
): AcceptedSummary {
  const read = derivedFields.filter(({ from }) => from.every((input) => totals.has(input)));
  const made = read.map(({ name, from, make }) => {
    const found = from.flatMap((input) => totals.get(input) ?? []);
    return [name, found.length === from.length ? make(...found) : null] as const;
  });
  const fields = { ...before, ...Object.fromEntries(made), calendar_date: date };
  const accepted = activity.accept(fields, anyTime);
  if ("reason" in accepted) throw new Error(`invalid derived activity: ${accepted.reason}`);
  const origin = originOf(totals, before);
  if (Object.keys(origin).length === 0) return accepted.ok;
  return { ...accepted.ok, fields: { ...accepted.ok.fields, [DERIVED_FROM]: origin } };
}

/** Returns the shares of devices and apps by resource. The heart rate has no sum, so its samples count. */
function originOf(totals: Parameters<typeof deriveDailyActivity>[1], before: AcceptedSummary["fields"]): DerivedFrom {
  const read = [...totals].map(([input, total]) => [input, sharesOf(total, input === "heartrate")] as const);
  const all = Object.entries({ ...derivedFrom(before), ...Object.fromEntries(read) });
  return Object.fromEntries(all.filter(([, shares]) => shares.length > 0));
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
