import { FuzzRandom } from "../fuzz/fuzz-random.ts";
import type { OtherTenant } from "../local/service/platform/isolation/other-tenants.ts";
import type { TestService } from "../support/service.ts";
import { attackWithCredentials } from "./attack-credentials.ts";
import { attackAfterEnd, endNames } from "./attack-ends.ts";
import { attackWithIds, countDistinguished } from "./attack-ids.ts";
import { AttackRun } from "./attack-run.ts";
import { type AttackTarget, listAttackTargets } from "./attack-targets.ts";
import { createAttackWorld } from "./attack-world.ts";
import type { Credentials } from "./wrong-credentials.ts";

/** The parts of an attack: wrong credentials, ids of another team, and ends of what credentials depend on. */
type AttackPart = "credentials" | "ids" | "ends";

/** Options of a run. */
export interface AttackOptions {
  readonly seed: number;
  readonly parts: readonly AttackPart[];
  /** How many requests with other values each route gets for each credential and id; 1 by default. */
  readonly rounds?: number;
  /** Number of routes, drawn with the seed; all by default. */
  readonly routes?: number;
  readonly onProgress?: (requests: number, note: string) => void;
}

/** What a run did and found. */
export interface AttackResult {
  readonly findings: readonly string[];
  readonly findingCount: number;
  readonly routes: number;
  readonly requests: number;
  /** Wrong credentials, each sent with three sets of ids. */
  readonly credentials: number;
  /** Pairs of requests, one with ids of another team and one with unknown ids. */
  readonly pairs: number;
  /** Routes on which the caller's own ids get another status than unknown ids. */
  readonly distinguished: number;
  /** Credentials that were used, ended, and used again. */
  readonly ended: number;
  readonly statuses: Readonly<Record<number, number>>;
}

/** Kinds that a request cannot end: keys. */
const LASTING = new Set<string>(["team", "lab", "management"]);

/** Attacks a running service. */
export async function runAttack(service: TestService, options: AttackOptions): Promise<AttackResult> {
  const { seed, parts, rounds = 1, onProgress = () => undefined } = options;
  const targets = drawTargets(listAttackTargets(service), options);
  const run = new AttackRun(service);
  const counts = { credentials: 0, pairs: 0, ended: 0, distinguished: 0 };
  if (parts.includes("credentials") || parts.includes("ids")) {
    const world = await createAttackWorld(service, (held, tenant) => useAll(run, targets, held, { tenant, seed }));
    run.hide(Object.values(world.victim.own).filter((id) => id !== service.identity.org_id));
    for (let index = 0; index < rounds * targets.length; index += 1) {
      const target = targets[index % targets.length] as AttackTarget;
      if (parts.includes("credentials"))
        counts.credentials += await attackWithCredentials(run, target, world, { seed, index });
      if (parts.includes("ids")) counts.pairs += await attackWithIds(run, target, world, { seed, index });
      onProgress(run.requests, `${index + 1} of ${rounds * targets.length} routes, ${run.findingCount} findings`);
    }
    if (parts.includes("ids")) counts.distinguished = await countDistinguished(run, targets, world, seed);
  }
  for (const name of parts.includes("ends") ? endNames : []) {
    const { findings, ended } = await attackAfterEnd(service, name);
    counts.ended += ended;
    for (const finding of findings) run.add(finding);
    onProgress(run.requests, `end: ${name}, ${run.findingCount} findings`);
  }
  const { findings, findingCount, requests, statuses } = run;
  return { ...counts, findings, findingCount, requests, statuses, routes: targets.length };
}

function drawTargets(all: readonly AttackTarget[], { seed, routes = all.length }: AttackOptions): AttackTarget[] {
  const draw = new FuzzRandom(seed, 0);
  const ranked = all.map((target) => ({ target, rank: draw.integerBelow(2 ** 30) }));
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, routes);
  return all.filter((target) => chosen.some((one) => one.target === target));
}

/**
 * Uses valid credentials on every route, with unknown ids. None may be refused. A request that may end its credential,
 * as a connection ends a link, gets a new one of the same key.
 */
async function useAll(
  run: AttackRun,
  targets: readonly AttackTarget[],
  held: Credentials,
  { tenant, seed }: { readonly tenant: OtherTenant; readonly seed: number },
): Promise<void> {
  const { org_id = "", team_id = "" } = tenant.own;
  const unknown = Object.fromEntries(Object.keys(tenant.own).map((name) => [name, crypto.randomUUID()]));
  for (const [index, target] of targets.entries()) {
    const { auth, contract } = target;
    const isKept = LASTING.has(auth) || contract.method === "GET";
    const draft = { target, headers: isKept ? held[auth] : await tenant.credential(auth), seed, index };
    const { status, text } = await run.ask(draft, { ...unknown, org_id, team_id }, "a valid credential");
    if (status === 401) run.note(draft, "a valid credential", `is refused: ${text}`);
  }
}
