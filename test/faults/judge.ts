import { type Change, textOf } from "./tape.ts";

/** How an invocation ended: `refused` is the caller's fault, `unavailable` a matter of trying again, `broken` any other error. */
export type Outcome = "ok" | "refused" | "unavailable" | "broken";

/** What there is after an invocation, or after it and its repetition. */
export interface Effect {
  readonly changes: readonly Change[];
  readonly messages: readonly string[];
}

/** One invocation, and what there is after it. */
export interface Run extends Effect {
  readonly outcome: Outcome;
  readonly answer: unknown;
  /** What was asked, in order. */
  readonly calls: readonly string[];
  /** Objects that it wrote or deleted, and whether they are there. */
  readonly objects: readonly string[];
}

/** What an undisturbed invocation does, and which of the keys that it makes are drawn. */
export interface Reference {
  readonly run: Run;
  readonly randomKeys: ReadonlySet<string>;
  /** Whether it is the same each time; else what it leaves can not be compared. */
  readonly isDeterministic: boolean;
}

/** An invocation that was disturbed at one call, and its repetition unless it was answered for good. */
export interface Trial {
  readonly disturbed: Run;
  readonly repeated: Run | undefined;
  /** The call that was struck. */
  readonly faultedCall: string;
}

export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Public ids of keys, which are short. */
const KEY_ID = /(?<="key#)[a-z_]+_\w{8}(?=")/g;
const REQUISITION = /(?<=requisition#)\w+/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g;

/** A text without what is drawn or told by the clock. */
export function masked(text: string): string {
  return text
    .replace(UUID, "U")
    .replace(INSTANT, "T")
    .replace(KEY_ID, "K")
    .replace(REQUISITION, "R")
    .replace(/[A-Za-z0-9_-]{20,}/g, "X")
    .replace(/\d+/g, "N");
}

/** The name of a table without what its template adds. */
const tableOf = (name: string): string => /Table([a-zA-Z-]+?)[0-9A-F]{8}/.exec(name)?.[1] ?? name;

/** What kind of change it is: the table, the form of the key, and what became of which attributes. */
export function shapeOf({ table, key, before, after }: Change): string {
  const place = `${tableOf(table)} ${masked(JSON.stringify(key))}`;
  if (!after) return `${place} deleted`;
  if (!before) return `${place} created ${Object.keys(after).sort().join()}`;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((one) => textOf({ x: before[one] ?? {} }) !== textOf({ x: after[one] ?? {} }));
  return `${place} changed ${changed.sort().join()}`;
}

/** Notes of who asked or how often, spread over drawn places, and leases, which end by themselves. */
const NOTED = /^(audit|usage) |"(metric|lease|quota)#/;

const shapesOf = ({ changes }: Effect): string[] => changes.map(shapeOf).filter((shape) => !NOTED.test(shape));
/** Messages may be there twice; whoever gets them does not mind. */
const messagesOf = ({ messages }: Effect): string[] => [...new Set(messages.map(masked))];

/** What the first has more of than the second. */
export function minus(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

/** Whether both are changes of the same kind of item, and the second changed all that the first did, or more. */
function isAtLeast(wanted: string, given: string): boolean {
  const [place, names = ""] = wanted.split(" changed ");
  const [otherPlace, otherNames = ""] = given.split(" changed ");
  return place === otherPlace && names.split(",").every((name) => otherNames.split(",").includes(name));
}

const lacking = (effect: Effect, { run }: Reference): string[] => [
  ...minus(shapesOf(run), shapesOf(effect)).filter(
    (one) => !minus(shapesOf(effect), shapesOf(run)).some((more) => isAtLeast(one, more)),
  ),
  ...minus(messagesOf(run), messagesOf(effect)),
];

/** What is there beside what there should be, unless it is the whole of a second thing. */
function left(effect: Effect, { run, randomKeys }: Reference): string[] {
  const lacked = minus(shapesOf(run), shapesOf(effect));
  const extra = minus(shapesOf(effect), shapesOf(run)).filter((one) => !lacked.some((less) => isAtLeast(less, one)));
  const whole = run.changes.filter(({ name, before }) => !before && randomKeys.has(name)).map(shapeOf);
  const isSecond = extra.length > 0 && minus(whole, extra).length === 0 && minus(extra, whole).length === 0;
  return isSecond ? [] : extra;
}

/**
 * Judges an invocation that was disturbed and, unless it was answered for good, repeated.
 * @returns what is wrong, undefined when nothing is.
 */
export function judge(reference: Reference, { disturbed, repeated, faultedCall }: Trial): string | undefined {
  if (disturbed.outcome === "broken") return `answered ${JSON.stringify(disturbed.answer).slice(0, 300)}`;
  // What others outside do not answer is noted as such, which is something else than what an answer makes be done.
  if (faultedCall === "http") return undefined;
  const missing = lacking(disturbed, reference);
  const whole = missing.length === 0 || !reference.isDeterministic;
  if (disturbed.outcome === "ok" && !repeated && !whole)
    return `says that it succeeded, and lacks ${missing.join("; ")}`;
  if (disturbed.outcome === "refused" && !whole)
    return `was refused: ${JSON.stringify(disturbed.answer).slice(0, 300)}`;
  const end = repeated ?? disturbed;
  if (repeated && (repeated.outcome === "broken" || repeated.outcome === "unavailable"))
    return `repeated, it is ${repeated.outcome}: ${JSON.stringify(repeated.answer).slice(0, 300)}`;
  if (!reference.isDeterministic) return undefined;
  const never = lacking(end, reference);
  if (never.length > 0)
    return `repeated (${end.outcome}), it lacks ${never.join("; ")}, and has ${left(end, reference).join("; ")}`;
  const extra = left(end, reference);
  return extra.length > 0 ? `repeated (${end.outcome}), it left ${extra.join("; ")}` : undefined;
}
