import * as z from "zod";
import type { WireSource } from "../connections/sources/source.ts";
import { activity } from "./activity.ts";
import { body } from "./body.ts";
import { sleep } from "./sleep.ts";
import { sourceFields, sourceNumbers, toSourceNumbers } from "./source-fields.ts";
import { type AcceptedSummary, type SummaryKind, type SummaryMetadata, shownFields } from "./summary-kind.ts";
import { sport, workouts } from "./workouts.ts";

const instant = z.iso.datetime({ offset: true });

/** A summary without a day, in the form its source sent. */
export const rawSummary = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  data: z.record(z.string(), z.unknown()).describe("The fields as ingested"),
  provider_id: z.string().describe("The provider's id; the summary's id if the provider has none"),
  ...sourceNumbers,
  source_device_id: sourceFields.source_device_id,
  source: z.object({ name: z.string(), slug: z.string(), logo: z.string() }),
  created_at: instant,
  updated_at: instant,
});

const datedRawSummary = rawSummary.extend({
  timestamp: instant.describe("Start of the summary; midnight UTC for a summary of a whole day"),
});
const rawWorkout = datedRawSummary.extend({ sport_id: z.int(), sport });

/** The kinds whose raw summaries are read by day. */
export const rawSummaryKinds = { activity, sleep, workouts, body };
export const rawSummaryKindNames = [
  "activity",
  "sleep",
  "workouts",
  "body",
] as const satisfies (keyof typeof rawSummaryKinds)[];

/** Response schema for one kind: a list under the kind's name. */
export function rawSummaryResponse(name: string) {
  return z.object({ [name]: z.array(name === workouts.name ? rawWorkout : datedRawSummary) });
}

/** Response schema for any kind. */
export const anyRawSummaryResponse = z.record(z.string(), z.array(z.looseObject(datedRawSummary.shape)));

/** A stored summary. */
type Stored = SummaryMetadata & Pick<AcceptedSummary, "fields"> & { readonly provider_id: string | null };

/** Converts a stored summary without a day to its raw wire form. */
export function toRawSummary({ id, user_id, provider_id, fields, ...stored }: Stored, source: WireSource) {
  const { name, slug, logo, device_id } = source;
  return {
    id,
    user_id,
    data: shownFields(fields),
    provider_id: provider_id ?? id,
    ...toSourceNumbers(source),
    source_device_id: device_id,
    source: { name, slug, logo },
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  };
}

/** Converts a stored summary of a day to its raw wire form; workouts include their sport. */
export function toRawDatedSummary(kind: SummaryKind, stored: Stored, source: WireSource) {
  const played = sport.safeParse(stored.fields.sport).data;
  return {
    ...toRawSummary(stored, source),
    timestamp: String(stored.fields[kind.days?.begin ?? ""]),
    ...(played ? { sport_id: played.id, sport: played } : {}),
  };
}
