import { utcDate } from "../../../../lib/domain/usage/usage-day.ts";
import { removeFromFeed } from "../../../../lib/services/events/remove-from-feed.ts";
import { listUsageDays } from "../../../../lib/services/usage/list-usage-days.ts";
import { UNKNOWN_SEQUENCE } from "../../../../lib/store/events/outbox-items.ts";
import type { TeamScope } from "../../../../lib/store/team-scope.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";
import type { PlannedBatch } from "./batch-plan.ts";
import type { RacingTeam } from "./batch-race.ts";
import type { BatchStage } from "./batch-stage.ts";
import type { FeedWitness } from "./feed-witness.ts";
import { RACE_DAYS, readPage } from "./race-readers.ts";

/** The sequence of each event of a feed. */
type Sequences = ReadonlyMap<string, number>;

/** Checks all that holds for a team once its batches are done, then erases one of its users. */
export async function judgeTeam(
  stage: BatchStage,
  team: RacingTeam,
  witness: FeedWitness,
  random: SeededRandom,
): Promise<void> {
  const sequences = await judgeFeed(stage, team, witness);
  await judgeUsage(stage, team, witness);
  for (const batch of team.batches) await judgeReceipt(stage, batch, { sequences, witness });
  for (const { user_id } of team.users) {
    await judgeDelivered(stage, team, user_id, witness);
    await judgeSequences(stage, team, user_id, { sequences, witness });
  }
  await judgeErasure(stage, team, random.pick(team.users).user_id, { sequences, witness });
}

const eventsOf = ({ results }: PlannedBatch) => results.flatMap(({ events }) => events);

/** The events of a team by id. Batches may have died before they stored some of theirs. */
async function expectedEvents(stage: BatchStage, { batches, lastBatch, relayed, earlier }: RacingTeam) {
  const stored = new Set((await stage.readItems()).map(({ sk }) => sk));
  const ofBatches = batches.flatMap(eventsOf).filter(({ reference }) => stored.has(reference.event_id));
  const all = [...eventsOf(lastBatch), ...ofBatches, ...relayed, ...earlier];
  return new Map(all.map((event) => [event.reference.event_id, event]));
}

const readFeed = (stage: BatchStage, team: RacingTeam) => readPage(stage, team, { after: 0, limit: 1_000 });

async function judgeFeed(stage: BatchStage, team: RacingTeam, witness: FeedWitness): Promise<Sequences> {
  const listed = await readFeed(stage, team);
  witness.see(team.scope, 0, listed);
  const expected = await expectedEvents(stage, team);
  const found = new Map(listed.map(({ event_id, sequence }) => [event_id, sequence]));
  if (found.size !== listed.length) witness.break("an event is in the feed twice");
  if (found.size !== expected.size) witness.break(`the feed has ${found.size} events instead of ${expected.size}`);
  const { last } = await stage.stores().eventFeed.getTail(team.scope.teamId);
  if (last !== listed.length) witness.break(`the last sequence is ${last} of ${listed.length} events`);
  for (const { event_id, body } of listed) {
    const event = expected.get(event_id);
    const isErased = event?.reference.user_id === team.leaver.user_id;
    if (JSON.stringify(body) !== JSON.stringify(isErased ? null : event?.body)) witness.break(`body of ${event_id}`);
  }
  const earlier = new Set(team.earlier.map(({ reference }) => reference.event_id));
  for (const id of expected.keys()) {
    if (!found.has(id)) witness.break(`${id} is not in the feed`);
    if (!earlier.has(id) && !witness.isPublished(id)) witness.break(`${id} is not published`);
  }
  return found;
}

/** Difference of two clocks at most, seconds. */
const MAX_SKEW_S = 3;

/** Checks the events of the days by the instants in the feed, and the counts of all batches. */
async function judgeUsage(stage: BatchStage, team: RacingTeam, witness: FeedWitness): Promise<void> {
  const { eventFeed } = stage.stores();
  const days = await listUsageDays(stage.stores(), team.scope, RACE_DAYS);
  const sum = (numbers: readonly (number | undefined)[]) => numbers.reduce<number>((all, one = 0) => all + one, 0);
  const entries = await Array.fromAsync(eventFeed.read(team.scope, 0, stage.gate.nowMs));
  for (const { date } of days) {
    const counted = sum(days.filter((day) => day.date <= date).map(({ events }) => events));
    const until = (skewS: number) => entries.filter(({ appendedAtS }) => utcDate((appendedAtS + skewS) * 1000) <= date);
    const [least, most] = [until(MAX_SKEW_S).length, until(-MAX_SKEW_S).length];
    if (counted < least || counted > most)
      witness.break(`${counted} events up to ${date} are counted instead of ${least} to ${most}`);
  }
  const batches = [team.lastBatch, ...team.batches];
  const all = (of: "events" | "samples" | "bytes") => sum(days.map((day) => day[of]));
  const counted = [all("events"), all("samples"), all("bytes")];
  const totals = [sum(batches.map(({ counts }) => counts.samples)), sum(batches.map(({ counts }) => counts.bytes))];
  const expected = [entries.length, ...totals];
  if (String(counted) !== String(expected)) witness.break(`usage is ${counted} instead of ${expected}`);
}

async function judgeReceipt(stage: BatchStage, batch: PlannedBatch, { sequences, witness }: Feed): Promise<void> {
  const { scope, user, receiptId } = batch.context;
  const receipt = await stage.stores().receipts.get(scope, user.user_id, receiptId);
  const ids = new Set(eventsOf(batch).map(({ reference }) => reference.event_id));
  if (receipt?.status !== "done") witness.break(`${batch.name} is ${receipt?.status}`);
  for (const id of receipt?.event_ids ?? [])
    if (!ids.has(id) || !sequences.has(id)) witness.break(`the receipt of ${batch.name} names ${id}`);
}

async function judgeDelivered(stage: BatchStage, team: RacingTeam, userId: string, witness: FeedWitness) {
  const own = team.batches.filter(({ context }) => context.user.user_id === userId);
  const expected: Record<string, number> = {};
  const add = (name: string, count: number) => {
    expected[name] = (expected[name] ?? 0) + count;
  };
  for (const { context, counts, sent } of own) {
    const { provider } = context.batch;
    add(`${provider} bytes`, counts.bytes);
    for (const [name, count] of Object.entries(sent)) add(`${provider} ${name}`, count);
  }
  const found: Record<string, number> = {};
  for (const { provider, bytes, resources } of await stage.stores().deliveredData.list(team.scope, userId)) {
    found[`${provider} bytes`] = bytes;
    for (const [name, { sent_count }] of Object.entries(resources)) found[`${provider} ${name}`] = sent_count;
  }
  const text = (counts: Record<string, number>) => Object.entries(counts).sort().join(" ");
  if (text(found) !== text(expected)) witness.break(`delivered: ${text(found)} instead of ${text(expected)}`);
}

interface Feed {
  readonly sequences: Sequences;
  readonly witness: FeedWitness;
}

/** Checks what is known of the sequences of a user's events: all of it is right, and no sequence is lost. */
async function judgeSequences(stage: BatchStage, { scope }: RacingTeam, userId: string, { sequences, witness }: Feed) {
  const known = await stage.stores().receipts.getSequences(scope, userId);
  for (const [id, sequence] of known)
    if (sequences.get(id) !== sequence) witness.break(`a receipt has ${sequence} of ${sequences.get(id)} for ${id}`);
  for (const { pk, sk, sequence } of await stage.readItems()) {
    if (pk !== `event#${scope.teamId}#${userId}` || String(sk).startsWith("body#")) continue;
    const listed = sequence === UNKNOWN_SEQUENCE ? known.get(String(sk)) : sequence;
    if (listed !== undefined && listed !== sequences.get(String(sk))) witness.break(`${sk} has ${listed}`);
  }
}

/** Erases the events of a user as the last step of a deletion does. */
export async function eraseEventsOf(stage: BatchStage, scope: TeamScope, userId: string): Promise<void> {
  const { outbox, eventFeed, receipts, newestEvents } = stage.stores();
  await outbox.eraseUser(scope, userId, (events) => removeFromFeed({ eventFeed, receipts }, scope, userId, events));
  for (const store of [receipts, newestEvents]) await store.eraseUser(scope, userId);
}

/** Erases a user. The events of the others stay, and all keep their positions. */
async function judgeErasure(stage: BatchStage, team: RacingTeam, userId: string, { sequences, witness }: Feed) {
  const expected = await expectedEvents(stage, team);
  await eraseEventsOf(stage, team.scope, userId);
  const erased = [userId, team.leaver.user_id];
  const items = JSON.stringify(await stage.readItems());
  for (const id of erased) if (items.includes(id)) witness.break(`${id} is erased and still named`);
  const listed = await readFeed(stage, team);
  witness.see(team.scope, 0, listed);
  if (listed.length !== sequences.size) witness.break("the erasure changes the length of the feed");
  for (const { event_id, body } of listed) {
    const isErased = erased.includes(expected.get(event_id)?.reference.user_id ?? "");
    if ((body === null) !== isErased) witness.break(`the body of ${event_id} after the erasure`);
  }
}
