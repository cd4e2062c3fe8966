import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import { createTestEvent } from "../../unit/events/create-test-event.ts";
import { NOW_MS, type RelayFixture } from "../../unit/events/relay/relay-fixture.ts";
import { SeededRandom } from "../../unit/support/seeded-random.ts";
import { StepScheduler } from "../../unit/support/step-scheduler.ts";
import { type FeedState, outboxFeed } from "../outbox-feed.ts";
import type { ObservedEffect } from "./replay-trace.ts";
import { StoredFeed } from "./stored-feed.ts";

/** When an event was created: old enough for the sweeper, which lists events in the order of their creation. */
const createdAt = (place: number) => new Date(NOW_MS - 120_000 + place).toISOString();
const EVENTS = 5;
/** A model with room for every run. Each invocation takes a relay of its own. */
export const feedModel = outboxFeed({ relays: 8, events: EVENTS, crashes: 30 });

/**
 * One run of the real relay and sweeper: events of one team are written, relayed and swept at the same time. The seed
 * decides the order of requests, and the lost ones. A sweep lists its events in one step, as in the model.
 */
export class FeedTrace {
  readonly effects: ObservedEffect<FeedState>[] = [];
  readonly #stage: RelayFixture;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #stored: StoredFeed;
  readonly #events: readonly ReturnType<typeof createTestEvent>[];
  /** Records of the stream about each event that the relay has not received. */
  readonly #records = Array<number>(EVENTS).fill(0);
  /** Whether a sweep lists its events now, which takes one step here as in the model. */
  #isListing = false;

  constructor(seed: number, stage: RelayFixture) {
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#random);
    this.#turns.faultPercent = seed % 2 === 1 ? 12 : 0;
    const [team] = stage.teams;
    const users = team?.userIds ?? [];
    const ofPlace = (place: number) => createTestEvent(team?.teamId ?? "", users[place % users.length] ?? "", place, 0);
    this.#events = Array.from({ length: EVENTS }, (_, place) => ofPlace(place));
    this.#stored = new StoredFeed(this.#events.map(({ reference }) => reference.event_id));
  }

  async run(): Promise<readonly ObservedEffect<FeedState>[]> {
    await this.#stage.clear();
    this.#stage.gate.awaitTurn = async (step) => {
      this.#isListing &&= step !== "PutEvents";
      return this.#isListing ? undefined : this.#turns.awaitTurn(step);
    };
    this.#stage.gate.isKilled = () => this.#random.isWithinPercent(40);
    for (const place of this.#events.keys()) this.#turns.add("writer", () => this.#write(place));
    for (let count = 0; count < 4; count++)
      this.#turns.add(`relay ${count + 1}`, () => this.#relay(), this.#hasRecords);
    for (let count = 4; count < 7; count++) this.#turns.add(`sweep ${count + 1}`, () => this.#sweep());
    await this.#turns.run(() => this.#observe());
    return this.effects;
  }

  readonly #hasRecords = () => this.#records.some((count) => count > 0);

  async #write(place: number): Promise<void> {
    const event = this.#events[place];
    if (event)
      await this.#stage.gate.invoke(() => this.#stage.outbox.append(event, createdAt(place))).catch(() => undefined);
  }

  async #relay(): Promise<void> {
    const batch: EventReference[] = [];
    for (const [place, count] of this.#records.entries()) {
      const { reference } = this.#events[place] ?? {};
      if (count === 0 || !reference) continue;
      batch.push(reference);
      this.#records[place] = count - 1;
    }
    if (batch.length > 0) await this.#stage.relay(batch).catch(() => undefined);
  }

  async #sweep(): Promise<void> {
    this.#isListing = true;
    await this.#stage.sweep().catch(() => undefined);
    this.#isListing = false;
  }

  /** Records what the last request did. */
  async #observe(): Promise<void> {
    const text = this.#turns.trace.at(-1) ?? "";
    const [, task = "", step = "", fault] = /^(.*): (\w+)(?: \((.*)\))?$/.exec(text) ?? [];
    const before = this.#stored.isStored;
    const hadUnsent = this.#stored.isUnsent.includes(1);
    const isSeen = this.#stored.update(await this.#stage.readItems(), this.#stage.bus.acceptedIds);
    const written = this.#stored.isStored.findIndex((one, place) => one !== before[place]);
    if (task === "writer") {
      this.#add(text, written === -1 ? [] : [`change ${written + 1} is written`], isSeen);
      if (written !== -1) this.#stream(written, isSeen);
      return;
    }
    const name = `relay ${task.split(" ")[1]}`;
    for (const rule of explain(task, step, fault, hadUnsent)) this.#add(text, [`${name} ${rule}`], isSeen);
  }

  #stream(place: number, isSeen: (state: FeedState) => boolean): void {
    this.#records[place] = this.#random.isWithinPercent(30) ? 2 : 1;
    if (this.#records[place] === 2) this.#add("the stream", [`the record of event ${place + 1} comes again`], isSeen);
  }

  #add(text: string, rules: readonly string[], isSeen: (state: FeedState) => boolean): void {
    this.effects.push({ text: `${text}: ${rules} ${this.#stored.describe()}`, rules, isSeen });
  }
}

/** The steps of the model for a request of the relay or the sweeper. */
function explain(task: string, step: string, fault: string | undefined, hadUnsent: boolean): readonly string[] {
  if (step === "begins") {
    if (task.startsWith("relay")) return ["gets records of the stream"];
    return hadUnsent ? ["gets unsent events of the sweeper"] : [];
  }
  if (step === "PutEvents")
    return fault === "answer lost" ? ["publishes its events", "crashes"] : ["publishes its events"];
  if (step === "GetCommand") return [fault === undefined ? "reads the end of the feed" : "crashes"];
  if (step === "TransactWriteCommand") return [fault === "request lost" ? "crashes" : "appends its events to the feed"];
  return [];
}
