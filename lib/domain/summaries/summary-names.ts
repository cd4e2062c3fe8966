/** Names of one kind of summary in the API. */
export interface SummaryNaming {
  /** As in `/v2/summary/{name}/{user_id}` and `daily.data.{name}.created`. */
  readonly name: string;
  /** Key of the array in the response; null if the response is the object itself. */
  readonly listKey: string | null;
  /** Whether changes send data events; devices have event types of their own. */
  readonly hasEvents: boolean;
}

/** Every kind of summary of the public API. Each has a file in this folder and an entry in summary-kinds.ts. */
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

/** Name of a summary whose changes send events. */
export type SummaryNameWithEvents = Extract<(typeof summaryNames)[number], { hasEvents: true }>["name"];

/** Whether changes of the kind with this name send events. */
export function hasEvents(name: SummaryName): name is SummaryNameWithEvents {
  return summaryNames.some((naming) => naming.name === name && naming.hasEvents);
}
