import { MAX_AGENT_ANSWER_BYTES, type Shortening } from "../../contract/agent-tool.ts";
import { countSamples, type Reduction, reduceSamples, type SampleGroups } from "./reduce-samples.ts";

type Data = Readonly<Record<string, unknown>>;

/** The structured content of a tool's answer. */
export interface ToolAnswer {
  /** The answer of the route, possibly shortened. */
  readonly data: Data;
  /** Number of items, rows or samples of the route's answer that `data` does not contain. */
  readonly left_out: number;
  readonly reduction: Reduction | null;
  /** How to ask for what was left out; null if nothing was. */
  readonly rest: string | null;
}

/** Members of a page that would lead past items which the answer leaves out. */
const cursors = ["next", "next_cursor"];

/**
 * Shortens the answer of a route until it fits.
 * @param fits whether an answer is within the bound. Must hold for each answer that is shorter than one that fits.
 * @returns undefined if no part of the answer fits.
 */
export function shortenAnswer(
  data: Data,
  { shortening, rest }: { readonly shortening: Shortening; readonly rest: string },
  fits: (answer: ToolAnswer) => boolean,
): ToolAnswer | undefined {
  const complete = { data, left_out: 0, reduction: null, rest: null };
  // Rendering the whole of a long answer would only show that it does not fit.
  if (JSON.stringify(data).length <= MAX_AGENT_ANSWER_BYTES && fits(complete)) return complete;
  switch (shortening.kind) {
    case "whole":
      return undefined;
    case "samples":
      return shortenSamples(data, rest, fits);
    case "list": {
      const list = data[shortening.of] as readonly unknown[];
      return longestFit(possibleItems(list), fits, (kept) => ({
        data: { ...withoutCursors(data), [shortening.of]: list.slice(0, kept) },
        left_out: list.length - kept,
        reduction: null,
        rest,
      }));
    }
    case "rows":
      return shortenRows(data, rest, fits);
  }
}

const withoutCursors = (data: Data) =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !cursors.includes(name)));

/** A number of leading items that does not fit: all of them, or fewer whose text alone exceeds the bound. */
function possibleItems(list: readonly unknown[]): number {
  let characters = 0;
  const end = list.findIndex((item) => {
    characters += JSON.stringify(item).length;
    return characters > MAX_AGENT_ANSWER_BYTES;
  });
  return end === -1 ? list.length : end + 1;
}

/**
 * Finds the longest answer that fits and is not empty, by bisection.
 * @param tooMany a number of items that does not fit.
 */
function longestFit(
  tooMany: number,
  fits: (answer: ToolAnswer) => boolean,
  answerOf: (kept: number) => ToolAnswer,
): ToolAnswer | undefined {
  let [fitting, excessive] = [0, tooMany];
  while (excessive - fitting > 1) {
    const middle = Math.floor((fitting + excessive) / 2);
    if (fits(answerOf(middle))) fitting = middle;
    else excessive = middle;
  }
  return fitting === 0 ? undefined : answerOf(fitting);
}

function shortenSamples(data: Data, rest: string, fits: (answer: ToolAnswer) => boolean): ToolAnswer | undefined {
  const groups = data.groups as SampleGroups;
  const answerOf = (reduced: SampleGroups, reduction: Reduction) => ({
    data: { ...data, groups: reduced },
    left_out: countSamples(groups),
    reduction,
    rest,
  });
  const found = reduceSamples(groups, (reduced, reduction) => fits(answerOf(reduced, reduction)));
  return found && answerOf(found.groups, found.reduction);
}

/** The result of a query, as columns. */
interface QueryResult {
  readonly table: Readonly<Record<string, readonly unknown[]>>;
  readonly explanation?: readonly unknown[];
}

const rowsOf = ({ table }: QueryResult) => Math.max(0, ...Object.values(table).map((column) => column.length));

function shortenRows(data: Data, rest: string, fits: (answer: ToolAnswer) => boolean): ToolAnswer | undefined {
  const results = data.results as readonly QueryResult[];
  const total = results.reduce((sum, result) => sum + rowsOf(result), 0);
  const answerOf = (kept: number) => {
    const shortened = results.map((result) => firstRows(result, kept));
    const left_out = total - shortened.reduce((sum, result) => sum + rowsOf(result), 0);
    return { data: { ...data, results: shortened }, left_out, reduction: null, rest };
  };
  return longestFit(Math.max(0, ...results.map(rowsOf)), fits, answerOf);
}

function firstRows({ table, explanation }: QueryResult, kept: number): QueryResult {
  const columns = Object.entries(table).map(([name, column]) => [name, column.slice(0, kept)]);
  return {
    table: Object.fromEntries(columns),
    ...(explanation === undefined ? {} : { explanation: explanation.slice(0, kept) }),
  };
}
