import type { OtherTenant } from "../local/service/platform/isolation/other-tenants.ts";
import { type Ids, textOf } from "./attack-request.ts";
import type { AttackRun } from "./attack-run.ts";
import type { AttackTarget } from "./attack-targets.ts";
import type { AttackWorld } from "./attack-world.ts";
import { mixIds, unknownIds } from "./id-sets.ts";

/**
 * Sends ids of the victim to a route with valid credentials of other tenants: all ids, then each with own ids
 * elsewhere. The answer equals that to unknown ids. @returns the number of compared pairs.
 */
export async function attackWithIds(
  run: AttackRun,
  target: AttackTarget,
  { victim, attackers }: AttackWorld,
  draw: { readonly seed: number; readonly index: number },
): Promise<number> {
  let pairs = 0;
  for (const attacker of await attackers()) {
    const used = findUsedIds(run, target, attacker, draw);
    const foreign = mixIds(attacker.own, victim.own);
    const theirs = used.filter((name) => foreign[name] !== attacker.own[name]);
    const unknown = unknownIds(attacker.own, foreign);
    const singly = theirs.length > 1 ? theirs.map((name) => [name]) : [];
    for (const names of theirs.length > 0 ? [theirs, ...singly] : []) {
      const compared = { foreign: only(names, foreign, attacker.own), unknown: only(names, unknown, attacker.own) };
      await comparePair(run, target, attacker, { ...draw, about: names.join(), ...compared });
      pairs += 1;
    }
  }
  return pairs;
}

const only = (names: readonly string[], ids: Ids, own: Ids): Ids => ({
  ...own,
  ...Object.fromEntries(names.map((name) => [name, ids[name] ?? ""])),
});

/** Returns the names of the ids that a request contains. */
function findUsedIds(
  run: AttackRun,
  target: AttackTarget,
  { own }: OtherTenant,
  draw: { readonly seed: number; readonly index: number },
): string[] {
  const text = textOf(run.build({ target, headers: {}, ...draw }, own));
  return Object.keys(own).filter((name) => text.includes(own[name] ?? ""));
}

interface Pair {
  readonly seed: number;
  readonly index: number;
  readonly about: string;
  readonly foreign: Ids;
  readonly unknown: Ids;
}

async function comparePair(run: AttackRun, target: AttackTarget, attacker: OtherTenant, pair: Pair): Promise<void> {
  const { seed, index, foreign, unknown } = pair;
  const about = `${attacker.name} with another team's ${pair.about}`;
  const drafted = async () => ({ target, headers: await attacker.credential(target.auth), seed, index });
  const expected = await run.ask(await drafted(), unknown, `${attacker.name} with an unknown ${pair.about}`);
  const draft = await drafted();
  const answered = await run.ask(draft, foreign, about);
  if (answered.status === 401) run.note(draft, about, `proves nothing: ${answered.text}`);
  if (answered.text !== expected.text)
    run.note(draft, about, `returns ${answered.text}\n  and unknown ids ${expected.text}`);
}

/** Operations that keep the whole service busy for seconds, or end their caller's own team or credential. */
const LEFT_OUT =
  /^(connectDemoProvider|startExport|refreshUser|bulk\w+|simulateOrderProcess|parserCreateJob|deleteTeam)$/;
const METHODS = ["HEAD", "GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Counts the routes on which a tenant's own ids get another status than unknown ids. On these, equal answers to ids of
 * others mean that the service has looked for them. Deletions come last.
 */
export async function countDistinguished(
  run: AttackRun,
  targets: readonly AttackTarget[],
  { attackers }: AttackWorld,
  seed: number,
): Promise<number> {
  const [, attacker] = await attackers();
  if (!attacker) return 0;
  const rank = ({ contract }: AttackTarget) => METHODS.indexOf(contract.method);
  let count = 0;
  for (const target of targets.toSorted((a, b) => rank(a) - rank(b))) {
    const index = targets.indexOf(target);
    const used = findUsedIds(run, target, attacker, { seed, index }).filter((name) => name !== "org_id");
    if (used.length === 0 || LEFT_OUT.test(target.contract.operationId)) continue;
    const unknown = only(used, unknownIds({}, attacker.own), attacker.own);
    const drafted = async () => ({ target, headers: await attacker.credential(target.auth), seed, index });
    const refused = await run.ask(await drafted(), unknown, "unknown ids");
    const answered = await run.ask(await drafted(), attacker.own, "own ids");
    if (answered.status !== refused.status) count += 1;
  }
  return count;
}
