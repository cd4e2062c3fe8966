/** How one kind of summary is named where it is answered. */
export interface SummaryNaming {
  /** As in `/v2/summary/{name}/{user_id}` and `daily.data.{name}.created`. */
  readonly name: string;
  /** Key of the array in the answer; null where the answer is the bare object. */
  readonly listKey: string | null;
  /** Whether changes send events; devices are only read. */
  readonly hasEvents: boolean;
}

/**
 * Every kind of summary of the published interface. Those that can be taken in are in summary-kinds.ts; another one
 * is a file like activity.ts and a line there.
 */
export const summaryNames = [
  { name: "activity", listKey: "activity", hasEvents: true },
  { name: "sleep", listKey: "sleep", hasEvents: true },
  { name: "workouts", listKey: "workouts", hasEvents: true },
  { name: "body", listKey: "body", hasEvents: true },
  { name: "profile", listKey: null, hasEvents: true },
  { name: "meal", listKey: "meals", hasEvents: true },
  { name: "menstrual_cycle", listKey: "menstrual_cycle", hasEvents: true },
  { name: "electrocardiogram", listKey: "electrocardiogram", hasEvents: true },
  { name: "sleep_cycle", listKey: "sleep_cycle", hasEvents: true },
  { name: "devices", listKey: "devices", hasEvents: false },
] as const satisfies readonly SummaryNaming[];

/** Name of a summary in REST paths. */
export type SummaryName = (typeof summaryNames)[number]["name"];
