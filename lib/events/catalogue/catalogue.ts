import { findProvider } from "../../domain/connections/providers/providers.ts";
import { hasEvents, type SummaryNameWithEvents, summaryNames } from "../../domain/summaries/summary-names.ts";
import { type ResourceEventName, timeseriesResources } from "../../domain/timeseries/resources.ts";
import { type EventFamily, familyOf, type RoutedType } from "./event-families.ts";

/** Declaration of an event type. */
interface EventDeclaration {
  readonly summary: string;
  /** Whether the body contains `user_id` and `client_user_id`. Events of the team alone contain neither. */
  readonly namesUser: boolean;
  /** Set for a notice about another event. The notice names a user only if that event does. */
  readonly isNotice?: boolean;
}

const userEvent = (summary: string) => ({ summary, namesUser: true }) as const;
const teamEvent = (summary: string) => ({ summary, namesUser: false }) as const;
const notice = (summary: string) => ({ summary, namesUser: true, isNotice: true }) as const;

/** Events other than data events. `satisfies` rejects a type that no rule routes. */
const nonDataEvents = {
  "provider.connection.created": userEvent("A provider was connected"),
  "provider.connection.error": userEvent("A connection stopped working"),
  "provider.connection.stale": userEvent("Data of a connection is missing"),
  "provider.connection.recovered": userEvent("Data of a stale connection arrived again"),
  "provider.consent.given": userEvent("A user agreed to a connection"),
  "provider.consent.ended": userEvent("The consent to a connection ended"),
  "provider.device.created": userEvent("A device was seen for the first time"),
  "provider.device.updated": userEvent("The data of a device changed"),
  "labtest.order.created": userEvent("An order was placed"),
  "labtest.order.updated": userEvent("An order reached another status"),
  "labtest.appointment.created": userEvent("An appointment was created"),
  "labtest.appointment.updated": userEvent("An appointment reached another status"),
  "labtest.result.critical": userEvent("A result is critical"),
  "labtest.match_review.created": teamEvent("A result with an uncertain order arrived"),
  "labtest.match_review.updated": teamEvent("The review of a result reached another status"),
  "lab_report.parsing_job.created": userEvent("A lab report was submitted for parsing"),
  "lab_report.parsing_job.updated": userEvent("The parsing of a lab report reached another status"),
  "continuous_query.result_table.changed": userEvent("Rows of a continuous query's result changed"),
  "message.attempt.exhausted": notice("The last attempt to deliver an event failed"),
} as const satisfies Readonly<Partial<Record<RoutedType, EventDeclaration>>>;

/** Name of a resource in event types. */
export type DataResourceName = SummaryNameWithEvents | "workout_stream" | ResourceEventName;
/** Kind of change of a data record. */
export type DataChange = "created" | "updated";
/** Type of an event for new or updated data. */
type DailyEventType = `daily.data.${DataResourceName}.${DataChange}`;
/** Type of an event for the complete history of a resource. */
type HistoricalEventType = `historical.data.${DataResourceName}.created`;
/** Type of an event other than a data event. */
export type NonDataEventType = keyof typeof nonDataEvents;
/** All event types. */
export type EventType = DailyEventType | HistoricalEventType | NonDataEventType;
/** Event types whose body names a user. */
export type UserEventType = DailyEventType | HistoricalEventType | NonDataUserEventType;
type NonDataUserEventType = {
  [Type in NonDataEventType]: (typeof nonDataEvents)[Type]["namesUser"] extends true ? Type : never;
}[NonDataEventType];
/** Event types whose body may name no user. */
export type TeamEventType = Exclude<NonDataEventType, NonDataUserEventType> | "message.attempt.exhausted";

/** One entry of the catalogue. */
export interface CatalogueEntry extends EventDeclaration {
  readonly type: EventType;
  readonly family: EventFamily;
}

/** Resources with data events. */
export const dataResourceNames: readonly DataResourceName[] = [
  ...summaryNames.map(({ name }) => name).filter(hasEvents),
  "workout_stream",
  ...timeseriesResources.map(({ eventName }) => eventName),
];

const entry = (type: EventType, declaration: EventDeclaration): CatalogueEntry => ({
  type,
  family: familyOf(type),
  ...declaration,
});

const dataEntries = dataResourceNames.flatMap((name) => [
  entry(`daily.data.${name}.created`, userEvent(`New data: ${name}`)),
  entry(`daily.data.${name}.updated`, userEvent(`Changed data: ${name}`)),
  entry(`historical.data.${name}.created`, userEvent(`The history is complete: ${name}`)),
]);

/**
 * All event types. `raw.<provider>.<kind>` is a pattern and has no entry. Types outside the catalogue cannot be sent.
 */
export const catalogue: readonly CatalogueEntry[] = [
  ...dataEntries,
  ...Object.entries(nonDataEvents).map(([type, declaration]) => entry(type as NonDataEventType, declaration)),
];

const byType = new Map<string, CatalogueEntry>(catalogue.map((one) => [one.type, one]));

/** Returns the catalogue entry of a type, or undefined. */
export function findEventType(type: string): CatalogueEntry | undefined {
  return byType.get(type);
}

/** Whether the catalogue contains a type. */
export const isEventType = (type: string): type is EventType => byType.has(type);

/** Whether a text is the beginning of an event type. */
export const isTypePrefix = (text: string): boolean =>
  text !== "" && catalogue.some(({ type }) => type.startsWith(text));

/** Events with a provider's original payload, which teams can receive in addition to the others. */
const RAW_TYPE = /^raw\.(?<provider>\w+)\.[\w.]+$/;

/** Whether an endpoint can subscribe to a type. */
export function isSubscribable(type: string): boolean {
  const provider = RAW_TYPE.exec(type)?.groups?.provider;
  return byType.has(type) || (provider !== undefined && findProvider(provider) !== undefined);
}
