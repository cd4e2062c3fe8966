import { Progress } from "../../lib/terminal/progress.ts";
import { runKillDrill } from "../../test/drills/kill-drill.ts";

const SHOWN = 20;

/** Kills the service so many times while clients write to it. @returns the exit code: 1 when a write was lost, torn or never told. */
export async function kills(rounds: number, seed: number): Promise<number> {
  const progress = new Progress({ label: "Kills", total: rounds, unit: "rounds" });
  const report = await runKillDrill({ rounds, seed }, (round) => progress.update(round));
  const { acknowledged, unanswered, doneUnheard, events, slowestStartMs, problems } = report;
  progress.done(`${rounds} kills (seed ${seed}), ${Math.round(progress.elapsedMs / 1000)} s.`);
  const lines = [
    `${acknowledged} writes acknowledged; of ${unanswered} without an answer ${doneUnheard} had been done.`,
    `${events} events in the feed; the slowest start took ${slowestStartMs} ms.`,
    `${problems.length} lost, torn, doubled or untold.`,
    ...problems.slice(0, SHOWN),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}
