import type { CatalogueEntry } from "../events/catalogue/catalogue.ts";
import { teamEventBody, userEventBody } from "../events/catalogue/envelope.ts";
import { payloadSchemaOf } from "../events/catalogue/event-payloads.ts";
import type { OpenApiObject } from "./component-schema.ts";
import type { Components } from "./components.ts";

/**
 * Creates the schema of the body of an event type. Its parts stand in `allOf`, because renderers and JSON Schema draft 7
 * ignore keywords beside a reference.
 */
export function toEventBody({ type, namesUser }: CatalogueEntry, components: Components): OpenApiObject {
  const data = components.toReference(payloadSchemaOf(type), "output");
  const envelope = components.toReference(namesUser ? userEventBody : teamEventBody, "output");
  return { allOf: [envelope, { properties: { event_type: { const: type }, data } }] };
}

/** An event type as an identifier: `daily_data_sleep_created`. */
export const toEventId = (type: string): string => type.replaceAll(/\W/g, "_");
