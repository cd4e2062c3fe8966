import { Progress } from "../../../lib/cli/progress.ts";
import { runKillDrill } from "../kill-drill.ts";

const MAX_SHOWN = 20;

/** Kills the service while clients write. @returns the exit code: 1 when a write or its event was lost. */
export async function kills(rounds: number, seed: number): Promise<number> {
  const progress = new Progress({ label: "Kills", total: rounds, unit: "rounds" });
  const report = await runKillDrill({ rounds, seed }, (round) => progress.update(round));
  const { acknowledged, unanswered, completedUnanswered, events, slowestStartMs, problems } = report;
  progress.done(`${rounds} kills (seed ${seed}), ${Math.round(progress.elapsedMs / 1000)} s.`);
  const lines = [
    `${acknowledged} writes acknowledged; ${completedUnanswered} of ${unanswered} writes without a response were stored.`,
    `${events} events in the feed; the slowest start took ${slowestStartMs} ms.`,
    `${problems.length} writes lost, incomplete, duplicated or without event.`,
    ...problems.slice(0, MAX_SHOWN),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}
