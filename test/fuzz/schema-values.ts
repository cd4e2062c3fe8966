import * as z from "zod";
import type { FuzzRandom } from "./fuzz-random.ts";

type Schema = z.core.JSONSchema.JSONSchema;

/** Plausible values by field name, for schemas that state only a type. */
const plausibleValues: Readonly<Record<string, readonly unknown[]>> = {
  zip_code: ["85004", "10001"],
  zip: ["85004"],
  state: ["AZ", "NY"],
  country: ["US"],
  phone_number: ["+16025550123"],
  email: ["ada@example.com"],
  npi: ["1234567893"],
  dob: ["1990-05-17"],
  provider: ["oura", "apple_health_kit", "strava", "freestyle_libre", "whoop"],
  source_type: ["watch", "ring", "phone"],
  resource: ["heartrate", "steps", "glucose", "note", "cholesterol"],
  kind: ["activity", "sleep", "workouts", "devices", "profile"],
  type: ["ldl", "total"],
  env: ["sandbox"],
  region: ["us"],
  url: ["http://127.0.0.1:9/"],
  first_name: ["Ada"],
  last_name: ["Sample"],
  city: ["Phoenix"],
  fallback_time_zone: ["Europe/Berlin"],
  loinc_code: ["2345-7"],
  value: [60, 1.5, "a note"],
  message: [""],
};
const MAX_ITEMS = 3;
const MAX_DEPTH = 7;

/** Generates values that match schemas, as far as a schema states its constraints. */
export class SchemaValues {
  readonly #schemas = new Map<z.ZodType, Schema>();
  /** The caller's ids by the name of their resource. */
  known: Readonly<Record<string, string>> = {};

  /** Generates a value for a schema of the service. */
  generate(schema: z.ZodType, draw: FuzzRandom): unknown {
    const read = this.#schemas.get(schema) ?? toJsonSchema(schema);
    this.#schemas.set(schema, read);
    return this.#value(read, { draw, root: read, name: "", depth: 0 });
  }

  #value(given: Schema, place: SchemaPosition): unknown {
    const { draw, name, depth } = place;
    const schema = resolveReference(given, place.root);
    const known = this.known[name.replace(/s$/, "")];
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.#value(draw.pick(choices as Schema[]) ?? {}, place);
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => this.#value(one as Schema, place)));
    if ("const" in schema) return schema.const;
    if (schema.enum) return draw.pick(schema.enum);
    if (schema.type === "array") {
      const length = depth > MAX_DEPTH ? 0 : Math.max(schema.minItems ?? 0, draw.integerBelow(MAX_ITEMS));
      const items = Array.isArray(schema.items) ? (schema.items[0] as Schema) : (schema.items as Schema | undefined);
      return Array.from({ length }, () => this.#value(items ?? {}, { ...place, depth: depth + 1 }));
    }
    if (schema.type === "object") return this.#object(schema, place);
    if (known !== undefined && schema.type === "string") return known;
    return drawScalar(schema, draw, name);
  }

  #object(schema: Schema, place: SchemaPosition): Record<string, unknown> {
    const { draw, depth } = place;
    const required = new Set(schema.required ?? []);
    const isKept = (name: string) => required.has(name) || (depth <= MAX_DEPTH && draw.percent(depth === 0 ? 40 : 30));
    const named = Object.entries(schema.properties ?? {}).filter(([name]) => isKept(name));
    const made = named.map(([name, one]) => [name, this.#value(one as Schema, { ...place, name, depth: depth + 1 })]);
    const other = schema.additionalProperties;
    if (typeof other === "object" && draw.percent(70)) {
      const name = draw.pick(["heartrate", "steps", "activity", "sleep", "note", "oura", "x-a", "workout_stream"]);
      made.push([name, this.#value(other as Schema, { ...place, name, depth: depth + 1 })]);
    }
    return Object.fromEntries(made);
  }
}

interface SchemaPosition {
  readonly draw: FuzzRandom;
  readonly root: Schema;
  readonly name: string;
  readonly depth: number;
}

const toJsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any", cycles: "ref" }) as Schema;

function resolveReference(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  if (schema.$ref === "#") return root;
  const name = schema.$ref.split("/").at(-1) ?? "";
  return (root.$defs?.[name] ?? {}) as Schema;
}

function drawScalar(schema: Schema, draw: FuzzRandom, name: string): unknown {
  const usual = plausibleValues[name];
  if (usual && draw.percent(90)) return draw.pick(usual);
  const { minimum = 0, maximum = 1_000 } = schema;
  if (schema.type === "integer") return Math.round(minimum + draw.integerBelow(Math.min(maximum - minimum, 1_000) + 1));
  if (schema.type === "number") return minimum + draw.integerBelow(Math.min(maximum - minimum, 1_000) * 10) / 10;
  if (schema.type === "boolean") return draw.percent(50);
  if (schema.type === "null") return null;
  return drawText(schema, draw, name);
}

function drawText({ format, minLength = 0, maxLength = 40 }: Schema, draw: FuzzRandom, name: string): string {
  const day = `2026-05-${String(1 + draw.integerBelow(28)).padStart(2, "0")}`;
  if (format === "uuid" || format === "guid") return draw.uuid();
  if (format === "date" || /date|dob/.test(name)) return day;
  if (format === "date-time" || /(^|_)(at|start|end|stop|timestamp|since|until)$/.test(name)) return `${day}T08:00:00Z`;
  if (format === "email") return "ada@example.com";
  if (format === "uri" || format === "url") return "https://app.example.com/";
  const text = `${name} ${draw.integerBelow(100)}`;
  return text.padEnd(minLength, "x").slice(0, Math.max(minLength, maxLength));
}
