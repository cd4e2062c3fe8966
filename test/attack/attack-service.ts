import type { Session } from "../../lib/cli/frame/session.ts";
import { cpuSeconds } from "../../lib/cli/run-seeded.ts";
import { TestService } from "../support/service.ts";
import { type AttackOptions, type AttackResult, runAttack } from "./run-attack.ts";

/** Attacks a service in this process, and prints a report. */
export async function attackService({ seed, parts, rounds }: AttackOptions, session: Session) {
  const progress = session.progress({ label: "Attacking", unit: "requests" });
  const service = await TestService.start();
  try {
    const onProgress = (requests: number, note: string) => progress.update(requests, note);
    const result = await runAttack(service, { seed, parts, ...(rounds && { rounds }), onProgress });
    progress.done("Done.");
    report(session, seed, result);
    return { isOk: result.findingCount === 0, data: { seed, ...result } };
  } finally {
    await service.stop();
  }
}

function report(session: Session, seed: number, result: AttackResult): void {
  const { findings, findingCount, routes, requests, credentials, pairs, distinguished, ended, statuses } = result;
  const counts = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString("en")} ${status}`);
  session.print(`Seed ${seed}: ${requests.toLocaleString("en")} requests to ${routes} routes: ${counts.join(", ")}.`);
  session.print(
    `${credentials.toLocaleString("en")} wrong credentials, each with ids of its own, of others and of nobody;`,
  );
  session.print(
    `${pairs} pairs with ids of others and of nobody; own ids differ from those on ${distinguished} routes;`,
  );
  session.print(`${ended} credentials after the end of what they depend on; ${cpuSeconds()} s of CPU.`);
  for (const one of findings) session.print(one);
  session.print(`${findingCount} findings.`);
}
