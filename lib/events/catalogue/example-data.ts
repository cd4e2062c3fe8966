import * as z from "zod";
import type { EventType } from "./catalogue.ts";
import { payloadSchemaOf } from "./event-payloads.ts";
import { EXAMPLE_USER_ID, EXAMPLE_WORD } from "./example-user.ts";

/** The subset of JSON Schema that payloads use. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly "x-known-values"?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Example texts by format. Other formats use {@link EXAMPLE_WORD}. */
const texts: Readonly<Record<string, string>> = {
  uuid: EXAMPLE_USER_ID,
  "date-time": "2026-01-02T08:00:00+00:00",
  date: "2026-01-02",
};

/**
 * Returns example data of an event type: synthetic data in every field. The build evaluates this module, so that
 * functions contain the data and not the schemas (lib/build/plugins/example-data.ts).
 */
export function exampleDataOf(type: EventType): unknown {
  const schema = z.toJSONSchema(payloadSchemaOf(type), { io: "output" }) as Schema;
  return exampleOf(schema, schema);
}

/** Returns an example value of a schema. @param root resolves its references. */
function exampleOf(schema: Schema, root: Schema): unknown {
  if (schema.$ref) return exampleOf(root.$defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? {}, root);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleOf(choices.find(({ type }) => type !== "null") ?? {}, root);
  if (schema.const !== undefined) return schema.const;
  const [known] = schema.enum ?? schema["x-known-values"] ?? [];
  return known ?? byType(schema, root);
}

function byType(schema: Schema, root: Schema): unknown {
  switch (schema.type) {
    case "string":
      return texts[schema.format ?? ""] ?? EXAMPLE_WORD;
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}, root));
    case "object": {
      const fields = Object.entries(schema.properties ?? {});
      return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, root)]));
    }
    default:
      return null;
  }
}
