import { findProvider } from "../domain/sources/providers.ts";
import { type AnnouncedSummaryName, hasEvents, summaryNames } from "../domain/summaries/summary-names.ts";
import { type ResourceEventName, timeseriesResources } from "../domain/timeseries/resources.ts";
import { type EventFamily, familyOf, type RoutedType } from "./families.ts";

/** Declaration of an event type. */
interface EventDeclaration {
  readonly summary: string;
  /** Whether the body contains `user_id` and `client_user_id`. Events of the team alone contain neither. */
  readonly isOfUser: boolean;
  /** Set for a notice about another event. The notice names a user only if that event does. */
  readonly isNotice?: boolean;
}

const ofUser = (summary: string) => ({ summary, isOfUser: true }) as const;
const ofTeam = (summary: string) => ({ summary, isOfUser: false }) as const;
const notice = (summary: string) => ({ summary, isOfUser: true, isNotice: true }) as const;

/** Events other than data events. `satisfies` rejects a type that no rule routes. */
const singleEvents = {
  "provider.connection.created": ofUser("A provider was connected"),
  "provider.connection.error": ofUser("A connection stopped working"),
  "provider.device.created": ofUser("A device was seen for the first time"),
  "provider.device.updated": ofUser("The data of a device changed"),
  "labtest.order.created": ofUser("An order was placed"),
  "labtest.order.updated": ofUser("An order reached another status"),
  "labtest.appointment.created": ofUser("An appointment was created"),
  "labtest.appointment.updated": ofUser("An appointment reached another status"),
  "labtest.result.critical": ofUser("A result is critical"),
  "labtest.match_review.created": ofTeam("A result with an uncertain order arrived"),
  "labtest.match_review.updated": ofTeam("The review of a result reached another status"),
  "lab_report.parsing_job.created": ofUser("A lab report was submitted for parsing"),
  "lab_report.parsing_job.updated": ofUser("The parsing of a lab report reached another status"),
  "continuous_query.result_table.changed": ofUser("Rows of a continuous query's result changed"),
  "message.attempt.exhausted": notice("The last attempt to deliver an event failed"),
} as const satisfies Readonly<Partial<Record<RoutedType, EventDeclaration>>>;

/** Name of a resource in event types. */
export type DataName = AnnouncedSummaryName | "workout_stream" | ResourceEventName;
/** Kind of change of a data record. */
export type Verb = "created" | "updated";
/** Type of an event for new or updated data. */
export type DailyEventType = `daily.data.${DataName}.${Verb}`;
/** Type of an event for the complete history of a resource. */
export type HistoricalEventType = `historical.data.${DataName}.created`;
/** Type of an event other than a data event. */
export type SingleEventType = keyof typeof singleEvents;
/** All event types. */
export type EventType = DailyEventType | HistoricalEventType | SingleEventType;
/** Event types whose body names a user. */
export type UserEventType = DailyEventType | HistoricalEventType | SingleUserEventType;
type SingleUserEventType = {
  [Type in SingleEventType]: (typeof singleEvents)[Type]["isOfUser"] extends true ? Type : never;
}[SingleEventType];
/** Event types whose body may name no user. */
export type TeamEventType = Exclude<SingleEventType, SingleUserEventType> | "message.attempt.exhausted";

/** One entry of the catalogue. */
export interface CatalogueEntry extends EventDeclaration {
  readonly type: EventType;
  readonly family: EventFamily;
}

/** Resources with data events. */
export const dataNames: readonly DataName[] = [
  ...summaryNames.map(({ name }) => name).filter(hasEvents),
  "workout_stream",
  ...timeseriesResources.map(({ eventName }) => eventName),
];

const entry = (type: EventType, declaration: EventDeclaration): CatalogueEntry => ({
  type,
  family: familyOf(type),
  ...declaration,
});

const dataEntries = dataNames.flatMap((name) => [
  entry(`daily.data.${name}.created`, ofUser(`New data: ${name}`)),
  entry(`daily.data.${name}.updated`, ofUser(`Changed data: ${name}`)),
  entry(`historical.data.${name}.created`, ofUser(`The history is complete: ${name}`)),
]);

/**
 * All event types. `raw.<provider>.<kind>` is a pattern and has no entry. Types outside the catalogue cannot be sent.
 */
export const catalogue: readonly CatalogueEntry[] = [
  ...dataEntries,
  ...Object.entries(singleEvents).map(([type, declaration]) => entry(type as SingleEventType, declaration)),
];

const byType = new Map<string, CatalogueEntry>(catalogue.map((one) => [one.type, one]));

/** Returns the catalogue entry of a type, or undefined. */
export function findEventType(type: string): CatalogueEntry | undefined {
  return byType.get(type);
}

/** Whether the catalogue contains a type. */
export const isEventType = (type: string): type is EventType => byType.has(type);

/** Events with a provider's original payload, which teams can receive in addition to the others. */
const RAW_TYPE = /^raw\.(?<provider>\w+)\.[\w.]+$/;

/** Whether an endpoint can subscribe to a type. */
export function isSubscribable(type: string): boolean {
  const provider = RAW_TYPE.exec(type)?.groups?.provider;
  return byType.has(type) || (provider !== undefined && findProvider(provider) !== undefined);
}
