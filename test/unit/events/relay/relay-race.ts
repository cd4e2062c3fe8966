import { eventTable } from "../../../../lib/contract/resources.ts";
import type { EventReference } from "../../../../lib/events/catalogue/envelope.ts";
import type { WriteItem } from "../../../../lib/store/transaction.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { StepScheduler } from "../../support/step-scheduler.ts";
import { createTestEvent } from "../create-test-event.ts";
import { type FeedEvent, NOW_MS, type RelayFixture, type SeededTeam } from "./relay-fixture.ts";

/** Old enough for the sweeper to publish the event instead of leaving it to the relay. */
const OLD = new Date(NOW_MS - 120_000).toISOString();
/** Number of deliveries of a batch to the relay before the sweeper takes over. */
const TRIES = 3;

/** The stream of one user: the references that the relay has not received yet. */
interface Shard {
  readonly waiting: EventReference[];
  isRead: boolean;
}

/**
 * One run: events of two teams are written, relayed, swept, read and erased concurrently. Requests interleave in a
 * random order with random faults, all from one seed. At the end every event has exactly one sequence, without gaps.
 */
export class RelayRace {
  /** The broken rules. */
  readonly broken: string[] = [];
  readonly #stage: RelayFixture;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #isFaulty: boolean;
  readonly #written: EventReference[] = [];
  readonly #shards = new Map<string, Shard>();
  readonly #erased = new Set<string>();
  readonly #seen = new Map<string, string>();
  /** The event count of each team before this run. */
  readonly #counted = new Map<string, number>();

  constructor(seed: number, stage: RelayFixture) {
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#random);
    this.#isFaulty = seed % 4 !== 0;
  }

  /** Every step so far, in order. */
  get trace(): readonly string[] {
    return this.#turns.trace;
  }

  async run(): Promise<void> {
    await this.#stage.clear();
    for (const { teamId } of this.#stage.teams) this.#counted.set(teamId, await this.#stage.countedEvents(teamId));
    this.#stage.gate.awaitTurn = (step) => this.#turns.awaitTurn(step);
    this.#stage.gate.isKilled = () => this.#random.isWithinPercent(40);
    this.#stage.onCommitted = (items) => this.#checkPublished(items);
    if (this.#isFaulty) this.#stage.bus.isRefused = () => this.#random.isWithinPercent(8);
    this.#turns.faultPercent = this.#isFaulty ? 12 : 0;
    for (const team of this.#stage.teams) this.#addTasksOf(team);
    for (let sweeps = 1 + this.#random.integerBelow(3); sweeps > 0; sweeps--) {
      this.#turns.add(`sweeper ${sweeps}`, () => this.#stage.sweep().catch(() => undefined));
    }
    await this.#turns.run();
    await this.#calm();
    await this.#judge();
  }

  #addTasksOf(team: SeededTeam): void {
    const goner = this.#random.isWithinPercent(40) ? team.userIds[0] : undefined;
    for (const userId of team.userIds) {
      const writer = this.#write(team, userId, 1 + this.#random.integerBelow(4));
      this.#turns.add(`writer ${userId}`, async () => {
        await writer();
        if (userId === goner) this.#turns.add(`eraser ${userId}`, () => this.#erase(team, userId));
      });
    }
    this.#turns.add(`reader ${team.teamId}`, () => this.#read(team));
  }

  /** Writes events one by one. Repeats a write with an unknown outcome, as a redelivered batch does. */
  #write(team: SeededTeam, userId: string, count: number): () => Promise<void> {
    return async () => {
      for (let place = 0; place < count; place++) {
        const event = createTestEvent(team.teamId, userId, place);
        this.#written.push(event.reference);
        const write = () => this.#stage.outbox.append(event, OLD);
        while (!(await succeeds(() => this.#stage.gate.invoke(write))));
        this.#stream(event.reference);
      }
    };
  }

  #stream(reference: EventReference): void {
    const shard = this.#shards.get(reference.user_id) ?? { waiting: [], isRead: false };
    this.#shards.set(reference.user_id, shard);
    shard.waiting.push(reference);
    if (this.#random.isWithinPercent(10)) shard.waiting.push(reference);
    if (shard.isRead) return;
    shard.isRead = true;
    this.#turns.add(`relay ${reference.user_id}`, () => this.#relay(shard));
  }

  /** Delivers batch after batch, each again from the first failed event. */
  async #relay(shard: Shard): Promise<void> {
    for (let tries = 0; shard.waiting.length > 0; ) {
      const batch = shard.waiting.slice(0, 1 + this.#random.integerBelow(4));
      const consumed = await this.#stage.relay(batch).catch(() => [false]);
      const failedAt = consumed.indexOf(false);
      const isAgain = this.#random.isWithinPercent(10);
      if (!isAgain) shard.waiting.splice(0, failedAt === -1 ? batch.length : failedAt);
      tries = failedAt === 0 || isAgain ? tries + 1 : 0;
      if (tries < TRIES) continue;
      shard.waiting.shift();
      tries = 0;
    }
    shard.isRead = false;
  }

  async #erase(team: SeededTeam, userId: string): Promise<void> {
    this.#erased.add(userId);
    while (!(await succeeds(() => this.#stage.erase(team, userId))));
  }

  /** Reads the feed as a receiver does. */
  async #read(team: SeededTeam): Promise<void> {
    for (let after = 0, looks = 6; looks > 0; looks--) {
      const page = await this.#stage.list(team, after, 1 + this.#random.integerBelow(3)).catch(() => undefined);
      this.#note(team, after, page ?? []);
      after = page?.at(-1)?.sequence ?? after;
    }
  }

  #note(team: SeededTeam, after: number, page: readonly FeedEvent[]): void {
    for (const [place, { sequence, event_id }] of page.entries()) {
      const name = `${team.teamId} ${sequence}`;
      if (sequence !== after + 1 + place) this.broken.push(`${name} follows ${after + place}`);
      if ((this.#seen.get(name) ?? event_id) !== event_id) this.broken.push(`${name} was another event before`);
      this.#seen.set(name, event_id);
    }
  }

  /** Checks that every event with a sequence was published before. */
  #checkPublished(items: readonly WriteItem[]): void {
    const updates = items.flatMap(({ Update }) =>
      Update?.TableName === eventTable.name ? [Update.Key?.sk ?? []] : [],
    );
    const ids = updates.flat().filter((sk) => sk !== "last");
    const unpublished = ids.filter((id) => !this.#stage.bus.acceptedIds.includes(String(id)));
    if (unpublished.length > 0) this.broken.push(`${unpublished} have their sequences before they are published`);
  }

  /** Ends all faults and runs the sweeper. */
  async #calm(): Promise<void> {
    this.#turns.faultPercent = 0;
    this.#stage.bus.isRefused = () => false;
    await this.#stage.sweep();
    const unsent = (await this.#stage.readItems()).filter((item) => "unsent_shard" in item);
    if (unsent.length > 0) this.broken.push(`${unsent.length} events are unsent after a sweep without faults`);
  }

  async #judge(): Promise<void> {
    for (const team of this.#stage.teams) {
      const all = await this.#stage.list(team, 0, 500);
      this.#note(team, 0, all ?? []);
      const ids = (all ?? []).map(({ event_id }) => event_id);
      if (new Set(ids).size !== ids.length) this.broken.push("an event has two sequences");
      if ((await this.#stage.feed.getTail(team.teamId)).last !== ids.length)
        this.broken.push("the counter is beyond the feed");
      const counted = (await this.#stage.countedEvents(team.teamId)) - (this.#counted.get(team.teamId) ?? 0);
      if (counted !== ids.length) this.broken.push(`${counted} events are counted of ${ids.length}`);
      for (const { event_id, user_id } of this.#written.filter(({ team_id }) => team_id === team.teamId)) {
        const isErased = this.#erased.has(user_id);
        const found = all?.find((event) => event.event_id === event_id);
        if (!found && !isErased) this.broken.push(`${event_id} has no sequence`);
        if (found && (found.body === null) !== isErased) this.broken.push(`the body of ${event_id} is wrong`);
      }
    }
    const text = JSON.stringify(await this.#stage.readItems());
    for (const userId of this.#erased)
      if (text.includes(userId)) this.broken.push(`${userId} is erased and still named`);
  }
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}
