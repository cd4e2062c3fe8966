/** Records that are not samples: summaries, and streams that belong to one. */
const NOT_SAMPLES: ReadonlySet<string> = new Set([
  "activity",
  "body",
  "connection",
  "device",
  "electrocardiogram",
  "meal",
  "menstrual_cycle",
  "note",
  "profile",
  "sleep",
  "sleep_cycle",
  "sleep_stream",
  "workout_stream",
  "workouts",
]);
/** Names of events, and the names of the same samples in paths. */
const PATH_NAMES: Readonly<Record<string, string>> = { weight: "body_weight", fat: "body_fat" };

/** The name under which samples can be plotted, or undefined for records that are not samples. */
export const plottedName = (name: string) => (NOT_SAMPLES.has(name) ? undefined : (PATH_NAMES[name] ?? name));
