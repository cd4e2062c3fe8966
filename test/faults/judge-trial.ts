import { type ItemChange, serializeItem } from "./effect-recorder.ts";

/** How an invocation ended: `refused` is a client error, `unavailable` is retryable, `broken` is any other error. */
export type InvocationOutcome = "ok" | "refused" | "unavailable" | "broken";

/** The effect of an invocation, or of an invocation and its repetition. */
interface RunEffect {
  readonly changes: readonly ItemChange[];
  readonly messages: readonly string[];
}

/** One invocation and its effect. */
export interface InvocationRun extends RunEffect {
  readonly outcome: InvocationOutcome;
  readonly answer: unknown;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /** The calls, in order. */
  readonly calls: readonly string[];
  /** The call with the fault, if any. */
  readonly faultedCall: string | undefined;
  /** Objects that the invocation wrote or deleted, and whether they exist. */
  readonly objects: readonly string[];
}

/** The effect of an undisturbed invocation, and the random keys among the keys that it creates. */
export interface ReferenceRun {
  readonly run: InvocationRun;
  readonly randomKeys: ReadonlySet<string>;
  /** Whether the effect is the same each time; otherwise the judge does not compare it. */
  readonly isDeterministic: boolean;
}

/** The runs of an invocation with a fault: its own, and unless that was final, its repetitions. The first of them may have a fault too. */
export type FaultTrial = readonly [InvocationRun, ...InvocationRun[]];

export const UUID_PATTERN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Public ids of API keys, which are short. */
const KEY_ID = /(?<="key#)[a-z_]+_\w{8}(?=")/g;
const REQUISITION = /(?<=requisition#)\w+/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g;

/** Replaces random values and times in a text. */
export function maskRandomValues(text: string): string {
  return text
    .replace(UUID_PATTERN, "U")
    .replace(INSTANT, "T")
    .replace(KEY_ID, "K")
    .replace(REQUISITION, "R")
    .replace(/[A-Za-z0-9_-]{20,}/g, "X")
    .replace(/\d+/g, "N");
}

/** The logical name of a table, without what its template adds. */
const tableOf = (name: string): string => /Table([a-zA-Z-]+?)[0-9A-F]{8}/.exec(name)?.[1] ?? name;

/** Describes a change without its values: the table, the form of the key, and the changed attributes. */
export function changeShape({ table, key, before, after }: ItemChange): string {
  const place = `${tableOf(table)} ${maskRandomValues(JSON.stringify(key))}`;
  if (!after) return `${place} deleted`;
  if (!before) return `${place} created ${Object.keys(after).sort().join()}`;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter(
    (one) => serializeItem({ x: before[one] ?? {} }) !== serializeItem({ x: after[one] ?? {} }),
  );
  return `${place} changed ${changed.sort().join()}`;
}

/** Audit and usage entries with random keys, and leases, which expire by themselves. */
const IGNORED_CHANGES = /^(audit|usage) |"(metric|lease|quota|slots)#/;

const changeShapes = ({ changes }: RunEffect): string[] =>
  changes.map(changeShape).filter((shape) => !IGNORED_CHANGES.test(shape));
/** Messages may be duplicates, because their receivers are idempotent. */
const distinctMessages = ({ messages }: RunEffect): string[] => [...new Set(messages.map(maskRandomValues))];

/** Items of the first list minus those of the second, by count. */
export function subtractOnce(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** Whether both changes concern the same kind of item, and the second covers all attributes of the first. */
function coversChange(wanted: string, given: string): boolean {
  const [place, names = ""] = wanted.split(" changed ");
  const [otherPlace, otherNames = ""] = given.split(" changed ");
  return place === otherPlace && names.split(",").every((name) => otherNames.split(",").includes(name));
}

const missingEffects = (effect: RunEffect, { run }: ReferenceRun): string[] => [
  ...subtractOnce(changeShapes(run), changeShapes(effect)).filter(
    (one) => !subtractOnce(changeShapes(effect), changeShapes(run)).some((more) => coversChange(one, more)),
  ),
  ...subtractOnce(distinctMessages(run), distinctMessages(effect)),
];

/** Effects beyond the expected ones, unless they are complete further resources, at most one for each fault. */
function extraEffects(effect: RunEffect, { run, randomKeys }: ReferenceRun, faultCount: number): string[] {
  const lacked = subtractOnce(changeShapes(run), changeShapes(effect));
  const extra = subtractOnce(changeShapes(effect), changeShapes(run)).filter(
    (one) => !lacked.some((less) => coversChange(less, one)),
  );
  const whole = run.changes.filter(({ name, before }) => !before && randomKeys.has(name)).map(changeShape);
  const isWhole = Array.from({ length: faultCount }, (_, further) =>
    Array.from({ length: further + 1 }, () => whole).flat(),
  ).some((all) => subtractOnce(all, extra).length === 0 && subtractOnce(extra, all).length === 0);
  return isWhole ? [] : extra;
}

/** Judges an invocation with a fault and its repetitions, if any. @returns what is wrong, undefined if nothing is. */
export function judgeTrial(reference: ReferenceRun, trial: FaultTrial): string | undefined {
  const [disturbed, ...repetitions] = trial;
  const repeated = repetitions.at(-1);
  const faultedCalls = trial.flatMap(({ faultedCall }) => faultedCall ?? []);
  if (disturbed.outcome === "broken") return `answered ${JSON.stringify(disturbed.answer).slice(0, 300)}`;
  // The service records a failed outbound request differently from its success.
  if (faultedCalls.includes("http") && repeated?.outcome !== "broken") return undefined;
  const missing = missingEffects(disturbed, reference);
  const whole = missing.length === 0 || !reference.isDeterministic;
  if (disturbed.outcome === "ok" && !repeated && !whole)
    return `says that it succeeded, and lacks ${missing.join("; ")}`;
  if (disturbed.outcome === "refused" && !whole)
    return `was refused: ${JSON.stringify(disturbed.answer).slice(0, 300)}`;
  const end = repeated ?? disturbed;
  if (repeated && (repeated.outcome === "broken" || repeated.outcome === "unavailable"))
    return `repeated, it is ${repeated.outcome}: ${JSON.stringify(repeated.answer).slice(0, 300)}`;
  if (!reference.isDeterministic) return undefined;
  const never = missingEffects(end, reference);
  const extra = extraEffects(end, reference, faultedCalls.length);
  if (never.length > 0) return `repeated (${end.outcome}), it lacks ${never.join("; ")}, and has ${extra.join("; ")}`;
  return extra.length > 0 ? `repeated (${end.outcome}), it left ${extra.join("; ")}` : undefined;
}
