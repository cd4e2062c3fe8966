import type { AttackRun } from "./attack-run.ts";
import type { AttackTarget } from "./attack-targets.ts";
import type { AttackWorld } from "./attack-world.ts";
import { mixIds, unknownIds } from "./id-sets.ts";
import { listWrongCredentials } from "./wrong-credentials.ts";

/**
 * Sends every wrong credential to a route, with own ids, ids of the victim and unknown ids. Each is refused with its
 * status, and the three answers are the same. @returns the number of tried credentials.
 */
export async function attackWithCredentials(
  run: AttackRun,
  target: AttackTarget,
  { victim, own, stock }: AttackWorld,
  { seed, index }: { readonly seed: number; readonly index: number },
): Promise<number> {
  const wrong = listWrongCredentials(target.auth, target.contract, stock);
  const foreign = mixIds(own, victim.own);
  const sets = { own, "another team's": foreign, unknown: unknownIds(own, foreign) };
  const tried = wrong.map(async ({ kind, headers, status }) => {
    const draft = { target, headers, seed, index };
    const texts = new Set<string>();
    for (const [name, ids] of Object.entries(sets)) {
      const about = `credential ${kind}, ${name} ids`;
      const answer = await run.ask(draft, ids, about);
      texts.add(answer.text);
      if (answer.status !== status) run.note(draft, about, `returns ${answer.text}, not ${status}`);
    }
    if (texts.size > 1) run.note(draft, `credential ${kind}`, `returns ${[...texts].join("\nand ")}`);
  });
  await Promise.all(tried);
  return wrong.length;
}
