import * as z from "zod";
import { type PatientType, parsePatient, patientTypes } from "../search-query.ts";
import { MAX_NAMED_PATIENTS } from "./bulk-export.ts";

/** The parameters of `$export` that this service has, with the texts that a request gives for each. */
const exportParameters = ["_outputFormat", "_since", "_until", "_type", "patient"] as const;
type ExportParameter = (typeof exportParameters)[number];
/** Parameters by name. Unknown names are allowed, because a lenient request may have them. */
export type GivenParameters = ReadonlyMap<string, readonly string[]>;

/** Thrown for a parameter that the service refuses. */
export class ParameterRefused extends Error {
  override readonly name = "ParameterRefused";
  readonly parameter: string;

  constructor(parameter: string, reason: string) {
    super(reason);
    this.parameter = parameter;
  }
}

const listed = z.string().max(10_000).optional();

/** Parameters of `$export` in a URL. */
export const exportQuery = z.object({
  _outputFormat: listed.meta({ description: "`application/fhir+ndjson`, `application/ndjson` or `ndjson`" }),
  _since: listed.meta({ description: "An instant. Only resources that changed later are exported" }),
  _until: listed.meta({ description: "An instant. Only resources that changed until then are exported" }),
  _type: listed.meta({ description: "Types of resources, with commas between them. Without it, all but Provenance" }),
});

/** A parameter in a body. FHIR gives the name of its value a suffix for its type. */
const bodyParameter = z.object({
  name: z.string().max(200),
  valueString: listed,
  valueCode: listed,
  valueUri: listed,
  valueInstant: listed,
  valueDateTime: listed,
  valueReference: z.object({ reference: z.string().max(500) }).optional(),
});

/** The FHIR resource Parameters, as the body of `$export`. */
export const exportParametersBody = z
  .object({ resourceType: z.literal("Parameters"), parameter: z.array(bodyParameter).max(1_000).optional() })
  .optional()
  .meta({ id: "FhirExportParameters", description: "FHIR R4 resource Parameters; `patient` is a `valueReference`" });

/** The parameters of a body, by name. */
export function readBodyParameters(body: z.output<typeof exportParametersBody>): GivenParameters {
  const byName = Map.groupBy(body?.parameter ?? [], ({ name }) => name);
  return new Map(
    [...byName].map(([name, all]) => [
      name,
      all.map(({ name: _, valueReference, ...texts }) => {
        const [text] = Object.values(texts).filter((value) => value !== undefined);
        return valueReference?.reference ?? text ?? "";
      }),
    ]),
  );
}

// A plus sign that is not escaped arrives as a space.
const FORMATS: readonly string[] = [
  "application/fhir+ndjson",
  "application/fhir ndjson",
  "application/ndjson",
  "ndjson",
];
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+ -]\d{2}:\d{2})$/;

/**
 * What a request wants exported, except for whose data.
 * @param isLenient whether unknown parameters and types are ignored.
 * @throws ParameterRefused
 */
export function parseExportRequest(
  given: GivenParameters,
  isLenient: boolean,
): { types: readonly PatientType[] | undefined; since?: number; until?: number; user_ids?: string[] } {
  const unknown = [...given.keys()].find((name) => !(exportParameters as readonly string[]).includes(name));
  if (unknown !== undefined && !isLenient) throw new ParameterRefused(unknown, "Unknown parameter");
  const one = (name: ExportParameter) => onlyText(name, given);
  const format = one("_outputFormat");
  if (format !== undefined && !FORMATS.includes(format)) throw new ParameterRefused("_outputFormat", "Not NDJSON");
  const [since, until] = [instantOf("_since", one("_since")), instantOf("_until", one("_until"))];
  const user_ids = patientsOf(given.get("patient"));
  return {
    types: typesOf(given.get("_type"), isLenient),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(user_ids ? { user_ids } : {}),
  };
}

function onlyText(name: ExportParameter, given: GivenParameters): string | undefined {
  const [text, ...more] = given.get(name) ?? [];
  if (more.length > 0) throw new ParameterRefused(name, "Given more than once");
  return text;
}

function instantOf(name: ExportParameter, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = INSTANT.test(text) ? Date.parse(text.replace(" ", "+")) : Number.NaN;
  if (Number.isNaN(ms)) throw new ParameterRefused(name, "Not an instant with an offset, such as 2026-05-01T00:00:00Z");
  return ms;
}

function typesOf(texts: readonly string[] | undefined, isLenient: boolean): readonly PatientType[] | undefined {
  if (!texts) return undefined;
  const names = texts.flatMap((text) => text.split(",").map((name) => name.trim()));
  const known = patientTypes.filter((type) => names.includes(type));
  const isRefused = isLenient ? known.length === 0 : names.some((name) => !(known as string[]).includes(name));
  if (isRefused) throw new ParameterRefused("_type", `Not types among ${patientTypes.join(", ")}`);
  return known;
}

function patientsOf(references: readonly string[] | undefined): string[] | undefined {
  if (!references) return undefined;
  const found = references.map(parsePatient);
  if (found.includes(undefined)) throw new ParameterRefused("patient", "Not a reference to a Patient");
  const ids = [...new Set(found as string[])].toSorted();
  if (ids.length > MAX_NAMED_PATIENTS) throw new ParameterRefused("patient", `More than ${MAX_NAMED_PATIENTS}`);
  return ids;
}

/** Types that an export without `_type` contains. Provenance is as large as all Observations. */
export const defaultExportTypes: readonly PatientType[] = patientTypes.filter((type) => type !== "Provenance");
