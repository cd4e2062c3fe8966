import * as z from "zod";
import type { WireSource } from "../sources/source.ts";
import { activity } from "./activity.ts";
import { body } from "./body.ts";
import { sleep } from "./sleep.ts";
import { numbersOf, sourceFields, sourceNumbers } from "./source-fields.ts";
import type { AcceptedSummary, SummaryFrame, SummaryKind } from "./summary-kind.ts";
import { sport, workouts } from "./workouts.ts";

const instant = z.iso.datetime({ offset: true });

/** A summary of no day, as its source gave it. */
export const rawSummary = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  data: z.record(z.string(), z.unknown()).describe("The fields as they were taken in"),
  provider_id: z.string().describe("The provider's id; the summary's own where the provider gives none"),
  ...sourceNumbers,
  source_device_id: sourceFields.source_device_id,
  source: z.object({ name: z.string(), slug: z.string(), logo: z.string() }),
  created_at: instant,
  updated_at: instant,
});

const ofDay = rawSummary.extend({
  timestamp: instant.describe("Its begin; midnight UTC of the day where it is of a whole day"),
});
const ofSport = ofDay.extend({ sport_id: z.int(), sport });

/** The kinds of which raw summaries are read by day. */
export const rawKinds = { activity, sleep, workouts, body };
export const rawKindNames = ["activity", "sleep", "workouts", "body"] as const satisfies (keyof typeof rawKinds)[];

/** The answer for one of them: a list under its name. */
export function rawResponse(name: string) {
  return z.object({ [name]: z.array(name === workouts.name ? ofSport : ofDay) });
}

/** The answer for whichever of them. */
export const anyRawResponse = z.record(z.string(), z.array(z.looseObject(ofDay.shape)));

/** A summary as it is stored. */
type Stored = SummaryFrame & Pick<AcceptedSummary, "fields"> & { readonly provider_id: string | null };

/** Composes the raw answer for a stored summary of no day. */
export function toRawSummary({ id, user_id, provider_id, fields, ...stored }: Stored, source: WireSource) {
  const { name, slug, logo, device_id } = source;
  return {
    id,
    user_id,
    data: fields,
    provider_id: provider_id ?? id,
    ...numbersOf(source),
    source_device_id: device_id,
    source: { name, slug, logo },
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  };
}

/** Composes the raw answer for a stored summary of a day, of a workout with its sport. */
export function toRawSummaryOfDay(kind: SummaryKind, stored: Stored, source: WireSource) {
  const played = sport.safeParse(stored.fields.sport).data;
  return {
    ...toRawSummary(stored, source),
    timestamp: String(stored.fields[kind.days?.begin ?? ""]),
    ...(played ? { sport_id: played.id, sport: played } : {}),
  };
}
