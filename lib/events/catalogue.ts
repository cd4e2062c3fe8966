import { findProvider } from "../domain/sources/providers.ts";
import { type AnnouncedSummaryName, hasEvents, summaryNames } from "../domain/summaries/summary-names.ts";
import { type ResourceEventName, timeseriesResources } from "../domain/timeseries/resources.ts";
import { type EventFamily, familyOf, type RoutedType } from "./families.ts";

/** What an event type says beside its name. */
interface EventDeclaration {
  readonly summary: string;
  /** Whether the body names a user; what belongs to a team alone has neither `user_id` nor `client_user_id`. */
  readonly isOfUser: boolean;
  /** Of a notice about another event, which names a user only if that event does. */
  readonly isNotice?: boolean;
}

const ofUser = (summary: string) => ({ summary, isOfUser: true }) as const;
const ofTeam = (summary: string) => ({ summary, isOfUser: false }) as const;
const notice = (summary: string) => ({ summary, isOfUser: true, isNotice: true }) as const;

/** The events that are not about stored data; `satisfies` lets none be declared that no rule routes. */
const singleEvents = {
  "provider.connection.created": ofUser("A provider was connected"),
  "provider.connection.error": ofUser("A connection stopped working"),
  "provider.device.created": ofUser("A device was seen for the first time"),
  "provider.device.updated": ofUser("What is known of a device changed"),
  "labtest.order.created": ofUser("An order was placed"),
  "labtest.order.updated": ofUser("An order reached another status"),
  "labtest.appointment.created": ofUser("An appointment was made"),
  "labtest.appointment.updated": ofUser("An appointment reached another status"),
  "labtest.result.critical": ofUser("A result is critical"),
  "labtest.match_review.created": ofTeam("A result came whose order is not certain"),
  "labtest.match_review.updated": ofTeam("The review of such a result moved on"),
  "lab_report.parsing_job.created": ofUser("A lab report was submitted for parsing"),
  "lab_report.parsing_job.updated": ofUser("The parsing of a lab report reached another status"),
  "continuous_query.result_table.changed": ofUser("Rows of a continuous query's result changed"),
  "message.attempt.exhausted": notice("The last attempt to deliver an event failed"),
} as const satisfies Readonly<Partial<Record<RoutedType, EventDeclaration>>>;

/** A resource as event types name it. */
export type DataName = AnnouncedSummaryName | "workout_stream" | ResourceEventName;
/** What became of data. */
export type Verb = "created" | "updated";
/** Type of an event about data that a source keeps delivering. */
export type DailyEventType = `daily.data.${DataName}.${Verb}`;
/** Type of an event about the history of a resource. */
export type HistoricalEventType = `historical.data.${DataName}.created`;
/** Type of an event that is not about stored data. */
export type SingleEventType = keyof typeof singleEvents;
/** Every type of event that there is. */
export type EventType = DailyEventType | HistoricalEventType | SingleEventType;
/** Those of them whose body names a user. */
export type UserEventType = DailyEventType | HistoricalEventType | SingleUserEventType;
type SingleUserEventType = {
  [Type in SingleEventType]: (typeof singleEvents)[Type]["isOfUser"] extends true ? Type : never;
}[SingleEventType];
/** Those whose body may name none. */
export type TeamEventType = Exclude<SingleEventType, SingleUserEventType> | "message.attempt.exhausted";

/** One type of event. */
export interface CatalogueEntry extends EventDeclaration {
  readonly type: EventType;
  readonly family: EventFamily;
}

/** The resources whose data is announced. */
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

/** Every type of event, once; `raw.<provider>.<kind>` is a pattern and no entry. What is not in here can not be sent. */
export const catalogue: readonly CatalogueEntry[] = [
  ...dataEntries,
  ...Object.entries(singleEvents).map(([type, declaration]) => entry(type as SingleEventType, declaration)),
];

const byType = new Map<string, CatalogueEntry>(catalogue.map((one) => [one.type, one]));

/** The entry of this type, or undefined. */
export function findEventType(type: string): CatalogueEntry | undefined {
  return byType.get(type);
}

/** Whether a type is one of the catalogue. */
export const isEventType = (type: string): type is EventType => byType.has(type);

/** Events with what a provider sent as it sent it, which teams may be given beside the others. */
const RAW_TYPE = /^raw\.(?<provider>\w+)\.[\w.]+$/;

/** Whether a receiver can ask for events of this type. */
export function isSubscribable(type: string): boolean {
  const provider = RAW_TYPE.exec(type)?.groups?.provider;
  return byType.has(type) || (provider !== undefined && findProvider(provider) !== undefined);
}
