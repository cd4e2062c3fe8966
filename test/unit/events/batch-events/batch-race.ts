import { eventTable } from "../../../../lib/contract/resources.ts";
import type { NewEvent } from "../../../../lib/events/constructors/compose-event.ts";
import { finishBatch } from "../../../../lib/services/ingest/finish-batch.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { createTestEvent } from "../create-test-event.ts";
import { type PlannedBatch, type PlannedTeam, planTeam } from "./batch-plan.ts";
import type { BatchStage, RawItem, WireRequest } from "./batch-stage.ts";
import { earlierAppend } from "./earlier-version.ts";
import { FeedWitness } from "./feed-witness.ts";
import { eraseEventsOf, judgeTeam } from "./judge-team.ts";
import { readAsReceiver, readUsage } from "./race-readers.ts";

/** Seconds before midnight (UTC), so that the day changes during most races. */
const START_MS = Date.parse("2026-03-01T23:59:56.000Z");
/** A message comes again later than the function lives. */
const REPEATED_AFTER_MS = 70_000;
/** A leap of the clock kills all running functions. */
const LEAP_MS = 61_000;
/** Deliveries to the relay before the sweeper takes over. */
const RELAY_TRIES = 2;
/** Leaps with faults. Later ones have none, so that the race ends. */
const FAULTY_LEAPS = 8;

/** A team in a race, with the events that an earlier version appends to its feed. */
export interface RacingTeam extends PlannedTeam {
  readonly earlier: NewEvent[];
}

/**
 * One run: batches of two teams publish and number their events while the relay, the sweeper, readers of the feed and
 * of the usage, and a version without the tail do their work. Requests interleave in a random order with random faults,
 * all from one seed. Functions die at any request, and their messages come again.
 */
export class BatchRace {
  /** The broken rules. */
  readonly broken: string[] = [];
  readonly #stage: BatchStage;
  readonly #random: SeededRandom;
  readonly #isFaulty: boolean;
  readonly #startMs: number;
  readonly #teams: readonly RacingTeam[];
  readonly #witness: FeedWitness;

  constructor(seed: number, stage: BatchStage) {
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#isFaulty = seed % 4 !== 0;
    this.#startMs = START_MS + this.#random.integerBelow(4_000);
    stage.gate.reset(this.#random, this.#startMs);
    this.#teams = [1, 2].map(() => ({ ...planTeam(this.#random, this.#startMs), earlier: [] }));
    this.#witness = new FeedWitness(stage.bus, this.broken);
  }

  /** Every step so far, in order. */
  get trace(): readonly string[] {
    return this.#stage.gate.trace;
  }

  /** Appends to a feed by one write. */
  get singleWrites(): number {
    return this.#witness.singleWrites;
  }

  async run(): Promise<void> {
    const { gate, bus } = this.#stage;
    await this.#stage.clear();
    this.#stage.onAccepted = (request) => this.#notice(request);
    gate.onStep = () => this.#passTime();
    for (const team of this.#teams) await this.#addTasksOf(team);
    for (let sweeps = 1 + this.#random.integerBelow(3); sweeps > 0; sweeps--) this.#addSweep();
    gate.faultPercent = this.#isFaulty ? 7 : 0;
    if (this.#isFaulty) bus.isRefused = () => this.#random.isWithinPercent(8);
    for (let leaps = 0; await gate.run(); leaps++) {
      if (leaps === FAULTY_LEAPS) this.#endFaults();
      gate.nowMs += LEAP_MS + this.#random.integerBelow(LEAP_MS);
      this.#addSweep();
    }
    await this.#calm();
    for (const team of this.#teams)
      await judgeTeam(this.#stage, team, this.#witness, this.#random).catch((error) => this.broken.push(String(error)));
  }

  async #addTasksOf(team: RacingTeam): Promise<void> {
    const { gate } = this.#stage;
    const { receipts } = this.#stage.stores();
    for (const { context, message } of [team.lastBatch, ...team.batches]) {
      const opened = new Date(message.received_at).toISOString();
      await receipts.open(team.scope, context.user.user_id, message.receipt_id, [], opened);
    }
    const older = this.#random.isWithinPercent(40) ? 1 + this.#random.integerBelow(2) : 0;
    for (let appends = 0; appends < older; appends++) await this.#appendAsEarlierVersion(team);
    await this.#finish(team.lastBatch, false);
    gate.add("eraser", () => this.#erase(team));
    for (const batch of team.batches) {
      for (let copies = this.#random.isWithinPercent(20) ? 2 : 1; copies > 0; copies--) this.#addDelivery(batch, 0);
      if (this.#random.isWithinPercent(10)) this.#addDelivery(batch, gate.nowMs + 3 * LEAP_MS);
    }
    for (const event of team.relayed) this.#addWriter(event);
    gate.add("reader", () => readAsReceiver(this.#stage, team, this.#witness, this.#random));
    gate.add("usage", () => readUsage(this.#stage, team, this.#witness));
    if (this.#random.isWithinPercent(30)) gate.add("earlier version", () => this.#appendAsEarlierVersion(team));
  }

  /** Delivers the message of a batch until a run of the function succeeds. A repetition composes fewer events. */
  #addDelivery(batch: PlannedBatch, fromMs: number): void {
    const { gate } = this.#stage;
    const deliver = async () => {
      const isRedelivered = gate.nowMs - this.#startMs >= LEAP_MS;
      const composed = isRedelivered ? { ...batch, results: batch.repeated } : batch;
      if (await succeeds(() => gate.invoke(() => this.#finish(composed, isRedelivered)))) return;
      this.#addDelivery(batch, gate.nowMs + REPEATED_AFTER_MS + this.#random.integerBelow(LEAP_MS));
    };
    gate.add(batch.name, deliver, () => gate.nowMs >= fromMs);
  }

  async #finish({ context, results, message }: PlannedBatch, isRedelivered: boolean): Promise<void> {
    await finishBatch(this.#stage.stores(), context, results, { message, isRedelivered });
  }

  /** Erases a user while batches of others append to the same feed. */
  async #erase({ scope, leaver }: RacingTeam): Promise<void> {
    const erase = () => eraseEventsOf(this.#stage, scope, leaver.user_id);
    while (!(await succeeds(() => this.#stage.gate.invoke(erase))));
  }

  /** Writes an event for the relay, again until the outcome is known. */
  #addWriter(event: NewEvent): void {
    const { gate } = this.#stage;
    const write = () => this.#stage.stores().outbox.append(event, new Date(gate.now()).toISOString());
    gate.add("writer", async () => {
      while (!(await succeeds(() => gate.invoke(write))));
    });
  }

  /** Notes what a request changed. New items of the relay come to it by the stream. */
  #notice(request: WireRequest): void {
    this.#witness.notice(request);
    const { Item } = request.input;
    if (request.operation !== "PutItem" || !Item?.unsent_shard || !Item.sk?.S?.startsWith("evt_")) return;
    this.#stage.gate.add("relay", () => this.#relay(Item));
  }

  async #relay(item: RawItem): Promise<void> {
    for (let tries = RELAY_TRIES; tries > 0; tries--)
      if (await this.#stage.gate.invoke(() => this.#stage.relay(item)).catch(() => false)) return;
  }

  #addSweep(): void {
    this.#stage.gate.add("sweeper", async () => {
      await succeeds(() => this.#stage.gate.invoke(() => this.#stage.sweep()));
    });
  }

  /** Appends to the feed as a version without the tail does. */
  async #appendAsEarlierVersion(team: RacingTeam): Promise<void> {
    const { gate, documents } = this.#stage;
    const { teamId } = team.scope;
    const userId = this.#random.pick(team.users).user_id;
    const places = Array.from({ length: 1 + this.#random.integerBelow(3) }, (_, at) => 900 + team.earlier.length + at);
    const events = places.map((place) => createTestEvent(teamId, userId, place));
    team.earlier.push(...events);
    const append = async () => {
      const { last: after } = await this.#stage.stores().eventFeed.getTail(teamId);
      await gate.breath();
      await commit(documents, earlierAppend(eventTable.name, { teamId, events, after, nowMs: gate.nowMs }));
    };
    while (!(await succeeds(append)));
  }

  /** Time passes slowly. Sometimes all functions hang until they die. */
  #passTime(): void {
    const { gate } = this.#stage;
    gate.nowMs += this.#random.integerBelow(40);
    if (this.#isFaulty && this.#random.integerBelow(400) === 0)
      gate.nowMs += LEAP_MS + this.#random.integerBelow(9_000);
  }

  #endFaults(): void {
    this.#stage.gate.faultPercent = 0;
    this.#stage.bus.isRefused = () => false;
  }

  /** Ends all faults and runs the sweeper. */
  async #calm(): Promise<void> {
    this.#endFaults();
    this.#stage.gate.nowMs += REPEATED_AFTER_MS;
    await this.#stage.sweep();
    const unsent = (await this.#stage.readItems()).filter((item) => "unsent_shard" in item);
    if (unsent.length > 0) this.broken.push(`${unsent.length} events are unsent after a sweep without faults`);
  }
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}
