import type { Recorder } from "../../../../../lib/store/recorder-key.ts";
import type { SeededRandom } from "../../../support/seeded-random.ts";
import type { Origin } from "./reading.ts";

const of = (...pairs: readonly (readonly [device: string | null, app: string | null])[]): readonly Recorder[] =>
  pairs.map(([deviceId, appId]) => ({ deviceId, appId }));

const LONG = "x".repeat(255);

const MOST_RECORDERS = 4;

/** Recorders that a careless key confuses: by case, by role, by joined texts, by Unicode form. */
const families: readonly (readonly Recorder[])[] = [
  of(["watch", null], ["Watch", null], [null, "watch"], ["watch", "watch"], [null, null]),
  of(["d", "x"], ["d", "y"], ["d", null], ["e", "x"], [null, "x"]),
  of(["a#b", "c"], ["a", "b#c"], ["#", "a"], [null, "#a"]),
  of(["a~", null], ["a", null], ["a", "~"], [null, "a~"], ["~", null]),
  of(["a/b", null], ["a", "b"], ["a/b/", null], ["a%2Fb", null], [null, "a/b"]),
  of(["\u00e9", null], ["e\u0301", null], ["\u00c9", null], ["e", null]),
  of(["null", null], [null, "null"], ["null", "null"], [null, null], ["null#null", null]),
  of(["\u231a", null], ["\u231a\ufe0f", null], ["\u624b\u8868", "\u{1f496}"], [null, "\u{1f496}"]),
  of(["D", "x"], ["d", "x"], ["d", "X"], ["x", "d"]),
  of([`${LONG}1`, null], [`${LONG}2`, null], [LONG, null], [LONG, "1"]),
  of([" ", null], [null, " "], ["  ", null], ["'\"\\", null], ['","', null], [null, null]),
];
const all = families.flat();

const sources = [
  { provider: "apple_health_kit", sourceType: "watch" },
  { provider: "apple_health_kit", sourceType: "watch.1" },
  { provider: "apple_health_kit", sourceType: "phone" },
  { provider: "oura", sourceType: "watch" },
] as const;

/** Draws two to four recorders, most of one source and family; sometimes one recorder sends from two sources. */
export function drawOrigins(seed: number, random: SeededRandom): Origin[] {
  const family = families[seed % families.length]!;
  const origins = new Map<string, Origin>();
  const [first, other] = [random.pick(sources), random.pick(sources)];
  const add = (recorder: Recorder, source: (typeof sources)[number]) =>
    origins.set(JSON.stringify([source, recorder]), { ...source, ...recorder });
  // Neighbours in a family are the most alike.
  const [start, count] = [random.integerBelow(family.length), 2 + random.integerBelow(3)];
  const recorders = Array.from({ length: count }, (_, place) => family[(start + place) % family.length]!);
  if (count < MOST_RECORDERS && random.isWithinPercent(20)) recorders.push(random.pick(all));
  for (const recorder of recorders) {
    add(recorder, random.isWithinPercent(90) ? first : other);
    if (random.isWithinPercent(15)) add(recorder, other);
  }
  return [...origins.values()];
}
