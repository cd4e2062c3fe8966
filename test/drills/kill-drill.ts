import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DataDirectory } from "../../lib/local/data-directory.ts";
import { findFreePort } from "../../lib/local/free-port.ts";
import { writeIdentity } from "../../lib/start/identity-file.ts";
import { newIdentity } from "../../lib/start/start-service.ts";
import {
  type LocalJson,
  StartedProcess,
  type StartOptions,
} from "../local/service/platform/local-run/started-process.ts";
import { createKeyedRandom } from "../simulation/keyed-random.ts";
import { KillClient } from "./kill-client.ts";
import { verifyWrites } from "./kill-verdict.ts";

/** Options of the drill. */
export interface KillDrillOptions {
  readonly rounds: number;
  readonly seed: number;
}

/** The results of the drill. */
export interface KillDrillReport {
  readonly rounds: number;
  /** `acknowledged` counts writes with a response, `unanswered` writes whose response the kill prevented. */
  readonly acknowledged: number;
  readonly unanswered: number;
  /** Unanswered writes that the service stored. */
  readonly completedUnanswered: number;
  readonly events: number;
  /** The slowest start after a kill, in milliseconds. */
  readonly slowestStartMs: number;
  /** Lost, partial or duplicate writes, and missing events; empty if the service is correct. */
  readonly problems: readonly string[];
}

/**
 * Maximum number of writes before a kill. Both this number and a further delay are random, whatever the machine's
 * speed.
 */
const MAX_WRITES_BEFORE_KILL = 40;
const MAX_KILL_DELAY_MS = 50;
/** Longer than the delay after which any sweeper starts lost work. */
const SWEEPER_WAIT_S = 20 * 60;
const CLIENT_COUNT = 4;

/**
 * Starts the service, kills it during writes, restarts it on its data and compares the data. Repeats `rounds` times.
 */
export async function runKillDrill(
  { rounds, seed }: KillDrillOptions,
  onRound: (round: number) => void = () => {},
): Promise<KillDrillReport> {
  const directory = mkdtempSync(join(tmpdir(), "tributary-kills-"));
  skipDemoData(directory);
  const options = { directory, port: await findFreePort(), managementPort: await findFreePort() };
  const report = { rounds, acknowledged: 0, unanswered: 0, completedUnanswered: 0, events: 0, slowestStartMs: 0 };
  const problems: string[] = [];
  let running = new StartedProcess(options);
  try {
    let local = await running.ready();
    for (let round = 1; round <= rounds; round++) {
      const clients = await writeUntilKilled(running, local, { round, seed });
      const startedAt = performance.now();
      [running, local] = await restartService(options);
      report.slowestStartMs = Math.max(report.slowestStartMs, Math.round(performance.now() - startedAt));
      const verdict = await settledVerdict(local, clients);
      report.acknowledged += verdict.acknowledged;
      report.unanswered += verdict.unanswered;
      report.completedUnanswered += verdict.completedUnanswered;
      report.events = verdict.events;
      problems.push(...verdict.problems.map((problem) => `round ${round}: ${problem}`));
      onRound(round);
    }
  } finally {
    await running.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
  return { ...report, problems };
}

/** Leaves the demo data out of the first start: the drill does not read it, and it takes longer than a kill. */
function skipDemoData(directory: string): void {
  const data = new DataDirectory(directory);
  writeIdentity(data, { ...newIdentity(), is_seeded: true });
  data.close();
}

/** Runs some clients that write until they get no responses. */
async function writeUntilKilled(
  running: StartedProcess,
  local: LocalJson,
  { round, seed }: { round: number; seed: number },
): Promise<readonly KillClient[]> {
  const clients = Array.from(
    { length: CLIENT_COUNT },
    (_, index) => new KillClient(local, `${seed}-${round}-${index}`),
  );
  const writing = Promise.all(clients.map((client) => client.writeUntilUnanswered()));
  const random = createKeyedRandom(seed);
  const writes = Math.ceil(random(`writes ${round}`) * MAX_WRITES_BEFORE_KILL);
  while (clients.reduce((total, { journal }) => total + journal.length, 0) < writes)
    await Promise.race([writing, sleep(1)]);
  await sleep(random(`moment ${round}`) * MAX_KILL_DELAY_MS);
  await running.kill("SIGKILL");
  await writing;
  return clients;
}

async function restartService(options: StartOptions): Promise<[StartedProcess, LocalJson]> {
  rmSync(join(options.directory, "local.json"), { force: true });
  const running = new StartedProcess(options);
  return [running, await running.ready()];
}

async function settledVerdict(local: LocalJson, clients: readonly KillClient[]) {
  const control = (path: string, body: object) =>
    fetch(`${local.base_url}/_local/${path}`, { method: "POST", body: JSON.stringify(body) });
  await control("settle", {});
  await control("clock", { advance_seconds: SWEEPER_WAIT_S });
  await control("settle", {});
  return verifyWrites(local, clients);
}
