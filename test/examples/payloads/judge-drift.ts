import { ProviderError } from "../../../lib/connectors/provider-error.ts";
import { type DriftMutation, withoutRecord } from "./drift-mutations.ts";
import { type MappedPayload, mapPayload } from "./map-payload.ts";

/** Changes after which the same records must result, unless the connector reports the field. */
const REPORTED = /^as /;
/** Replies about one record, whose failure must not cost the others. */
const DETAILS = /\/activities\/\d+|action=get&/;
/** Members that say how a request ended, or whose a record is. They decide about more than a record. */
const DECIDING = /^(?:status|attrib|category)$/;
/** Members whose absence is documented to mean that a record is not complete, or that a day has no record of its own. */
const INCOMPLETE =
  /^(?:\w+ (?:workout_summary|end|summary|naps|total|StepCount)|intervals_icu steps|garmin (?:weightInGrams|measurementTimeOffsetInSeconds))$/;
/** Values of which a day has the latest: if it is refused, the one before counts. */
const LATEST_OF_DAY = /^ihealth WeightValue$/;

/** Changes that leave a member out. */
const OMITTED = /^(?:drop|rename|null)$/;
/** Records with several measured fields, of which one may be absent. */
const SUMMARIES = ["activity", "body", "profile", "sleep", "workouts"];

const countSummaries = ({ records }: MappedPayload) =>
  SUMMARIES.reduce((sum, name) => sum + (records[name]?.length ?? 0), 0);

const keysOf = ({ records, pushes }: MappedPayload): string[] =>
  [...Object.entries({ ...records, pushes })].flatMap(([name, all]) =>
    all.map((one) => `${name} ${JSON.stringify(one)}`),
  );

/** Envelopes, whose loss is reported under the name of their content. */
const ENVELOPE = /^(?:callbackURL|object)$/;
const plain = (name: string | number | undefined) => String(name).replaceAll("-", "").toLowerCase();

/** Whether a reported name is that of a member, or of the map whose entry the member is. */
function isNameOf(reported: string, path: readonly (string | number)[]): boolean {
  const names = reported.split(".").map(plain);
  const parent = path.slice(0, -1).findLast((key) => typeof key === "string");
  const last = names.at(-1);
  return (
    names.includes(plain(path.at(-1))) || last === "*" || last === plain(parent) || ENVELOPE.test(String(path.at(-1)))
  );
}

/** Describes what a change breaks; empty if other records stay, and every loss is reported. */
export async function judgeDrift(mutation: DriftMutation, base: MappedPayload): Promise<string[]> {
  const { kind, path, payload, original } = mutation;
  const found = await mapPayload(payload);
  const place = `${payload.provider}/${payload.name} ${path.join(".")} ${kind}`;
  const rest = withoutRecord(original, path);
  const name = String(path.at(-1));
  const isPageField = (rest === undefined && !DETAILS.test(String(path[0]))) || DECIDING.test(name);
  if (found.error && !(found.error instanceof ProviderError) && !(isPageField && payload.push !== undefined))
    return [`${place}: crashes with ${found.error.name}`];
  if (found.error)
    return isPageField || kind === "unknown" ? [] : [`${place}: loses the page with ${found.error.name}`];
  const [before, after] = [keysOf(base), keysOf(found)];
  if (kind === "unknown") return before.join() === after.join() ? [] : [`${place}: an unknown member changes records`];
  const reports = [...found.dropped, ...found.rejected].length - [...base.dropped, ...base.rejected].length;
  const problems: string[] = [];
  if (rest && !DECIDING.test(name) && !LATEST_OF_DAY.test(`${payload.provider} ${name}`)) {
    const others = new Set(keysOf(await mapPayload(rest)));
    const lost = before.filter((one) => others.has(one) && !after.includes(one));
    if (lost.length > 0) problems.push(`${place}: changes ${lost.length} other records, as ${lost[0]}`);
  }
  const isSame = before.length === after.length && before.every((one) => after.includes(one));
  // A push names records, whose ids may be numbers or texts.
  if (!isSame && REPORTED.test(kind) && found.pushes.length === 0 && reports <= 0)
    problems.push(`${place}: is not reported, and changes records`);
  const names = [...found.dropped, ...found.missing];
  const isNamed = names.some((one) => isNameOf(one, path)) || found.rejected.length > base.rejected.length;
  if (!isSame && reports > 0 && !isNamed) problems.push(`${place}: is reported as ${names}, without its name`);
  const lost = before.length - after.length;
  const lostSummaries = countSummaries(base) - countSummaries(found);
  if (
    lostSummaries > 0 &&
    rest &&
    OMITTED.test(kind) &&
    !INCOMPLETE.test(`${payload.provider} ${name}`) &&
    reports <= 0
  )
    problems.push(`${place}: loses ${lost} records with their other fields, without a report`);
  return problems;
}
