import type { SimulationScript } from "./simulation-script.ts";

/** Tells whether a simulation fails. */
export type IsFailing = (script: SimulationScript) => Promise<boolean>;

/** What a failing simulation did. */
export interface FailedRun {
  /** Names of its requests. */
  readonly pushes: readonly string[];
  readonly steps: number;
}

/**
 * Shrinks a failing script to one that still fails: with fewer disturbances, fewer requests, and as few steps out of
 * their order of arrival as possible.
 * @returns the script, of which no single disturbance or request can be left out.
 */
export async function shrinkScript(
  failing: SimulationScript,
  { pushes, steps }: FailedRun,
  isFailing: IsFailing,
): Promise<SimulationScript> {
  let script = await dropDisturbances(failing, isFailing);
  const needed = await dropParts(pushes, (kept) => isFailing({ ...script, pushes: kept }));
  script = await dropDisturbances({ ...script, pushes: needed }, isFailing);
  return { ...script, drawn_steps: await findLeast(steps, (drawn) => isFailing({ ...script, drawn_steps: drawn })) };
}

async function dropDisturbances(failing: SimulationScript, isFailing: IsFailing): Promise<SimulationScript> {
  let script = failing;
  for (const disturbance of failing.disturbances) {
    const fewer = { ...script, disturbances: script.disturbances.filter((one) => one !== disturbance) };
    if (await isFailing(fewer)) script = fewer;
  }
  return script;
}

/** Delta debugging (Zeller and Hildebrandt, 2002): leaves out ever smaller parts, until no single element can go. */
async function dropParts(all: readonly string[], isEnough: (kept: string[]) => Promise<boolean>): Promise<string[]> {
  let kept = [...all];
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    let hasDropped = false;
    for (let from = 0; from < kept.length; ) {
      const fewer = kept.toSpliced(from, size);
      if (fewer.length > 0 && (await isEnough(fewer))) {
        kept = fewer;
        hasDropped = true;
      } else from += size;
    }
    if (size === 1 && !hasDropped) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return kept;
}

/** The least number from 0 to `most` that is enough, by bisection, if more is always enough too. */
async function findLeast(most: number, isEnough: (count: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}
