import { type CatalogueEntry, catalogue } from "../../events/catalogue/catalogue.ts";
import { payloadSchemaOf } from "../../events/catalogue/event-payloads.ts";
import { Components } from "../components.ts";
import { toTypeText } from "./schema-type.ts";

const ENVELOPES = `/** An event about a user. */
export interface UserEvent<Type extends string, Data> {
  event_type: Type;
  data: Data;
  team_id: string;
  user_id: string;
  client_user_id: string;
}

/** An event about the team alone. It names no user. */
export interface TeamEvent<Type extends string, Data> {
  event_type: Type;
  data: Data;
  team_id: string;
}
`;

/** Returns the TypeScript source of all event types of the catalogue: schemas, a map by type, and their union. */
export function createEventTypes(): string {
  const components = new Components();
  const rows = catalogue.map((entry) => toRow(entry, components));
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${toTypeText(schema as Record<string, unknown>)};`,
  );
  return [
    ENVELOPES,
    ...schemas,
    "",
    "/** Every event by its type. */",
    "export interface EventsByType {",
    ...rows,
    "}",
    "",
    "/** The types of all events. */",
    "export type EventType = keyof EventsByType;",
    "/** The event of a type. */",
    "export type EventOf<Type extends EventType> = EventsByType[Type];",
    "/** Any event. Its `event_type` determines the type of its `data`. */",
    "export type TributaryEvent = EventsByType[EventType];",
    "",
    "/** The types of all events, for checks at run time. */",
    `export const eventTypes: readonly EventType[] = ${JSON.stringify(
      catalogue.map(({ type }) => type),
      undefined,
      2,
    )};`,
    "",
  ].join("\n");
}

function toRow({ type, summary, namesUser, isNotice }: CatalogueEntry, components: Components): string {
  const data = toTypeText(components.toReference(payloadSchemaOf(type), "output"));
  const parameters = `<${JSON.stringify(type)}, ${data}>`;
  const user = `UserEvent${parameters}`;
  // A notice names the user of the event that it is about, if that has one.
  const body = isNotice ? `${user} | TeamEvent${parameters}` : namesUser ? user : `TeamEvent${parameters}`;
  return `  /** ${summary} */\n  ${JSON.stringify(type)}: ${body};`;
}
