import { consumers } from "../../../functions/index.ts";
import { sampleBatch } from "../../../lib/domain/ingest/batch.ts";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { payloadSchemaOf } from "../../../lib/events/catalogue/event-payloads.ts";
import type { Shape } from "./shape.ts";
import { shapeOfSchema } from "./shape-of-schema.ts";

/** The two sides of a message, as its schema declares them. */
export interface MessageFormat {
  /** What the consumer accepts. */
  readonly accepted: Shape;
  /** What its senders make. */
  readonly sent: Shape;
}

/** What a version of the service declares about its messages and events. */
export interface DeclaredFormats {
  /** By the name of the consumer. The content of a batch is a message within a message. */
  readonly messages: Readonly<Record<string, MessageFormat>>;
  /** Bodies of events as receivers get them, by type. */
  readonly events: Readonly<Record<string, Shape>>;
}

/** Reads the formats of the version whose code this is. */
export function readDeclaredFormats(): DeclaredFormats {
  const schemas = [
    ...consumers.map(({ operationId, message }) => [operationId, message] as const),
    ["content of a batch", sampleBatch] as const,
  ];
  return {
    messages: Object.fromEntries(
      schemas.map(([name, schema]) => [
        name,
        { accepted: shapeOfSchema(schema, "input"), sent: shapeOfSchema(schema, "output") },
      ]),
    ),
    events: Object.fromEntries(catalogue.map(({ type }) => [type, shapeOfSchema(payloadSchemaOf(type), "output")])),
  };
}
