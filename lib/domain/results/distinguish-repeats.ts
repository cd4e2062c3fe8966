import type { Observation } from "./lab-report.ts";

/** What identifies an observation within a report, except for its sub-id. */
export const codeOf = ({ loinc, code }: Pick<Observation, "loinc" | "code">): string => loinc ?? code;

/**
 * Tells observations of one code apart, such as two isolates of a culture, by sub-ids. The first keeps none, so that it
 * replaces its preliminary value. A cancelled or withdrawn value disappears beside another of its code, and an equal value once.
 * @param subIds the laboratory's sub-ids in the same order; `2`, `3` and so on by default.
 */
export function distinguishRepeats(
  observations: readonly Observation[],
  subIds: readonly (string | undefined)[] = [],
): Observation[] {
  const numbered = observations.map((observation, place) => ({ observation, subId: subIds[place] }));
  return [...Map.groupBy(numbered, ({ observation }) => codeOf(observation)).values()].flatMap((group) => {
    const reported = group.filter(({ observation: { status } }) => status !== "cancelled" && status !== "withdrawn");
    const [first, ...others] = withoutEqual(reported.length > 0 ? reported : group.slice(0, 1));
    if (!first) return [];
    const known = new Set<string>();
    return [
      first.observation,
      ...others.map((one, place) => ({ ...one.observation, sub_id: claim(known, one.subId, place + 2) })),
    ];
  });
}

interface Numbered {
  readonly observation: Observation;
  readonly subId: string | undefined;
}

const withoutEqual = (group: readonly Numbered[]): Numbered[] => [
  ...new Map(group.map((one) => [JSON.stringify([one.observation, one.subId]), one])).values(),
];

/** A sub-id that is not in use: the laboratory's own if possible. */
function claim(known: Set<string>, wish: string | undefined, place: number): string {
  const id = wish && !known.has(wish) ? wish : known.has(String(place)) ? `${place}.${known.size}` : String(place);
  known.add(id);
  return id;
}
