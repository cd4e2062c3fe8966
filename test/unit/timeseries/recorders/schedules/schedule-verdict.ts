import type { UserRecord } from "../../../../../lib/domain/users/user.ts";
import { TeamScope } from "../../../../../lib/store/team-scope.ts";
import type { SeededRandom } from "../../../support/seeded-random.ts";
import { compareReadings, type SentContents, sentContents } from "./compare-readings.ts";
import { contentOf } from "./reading.ts";
import { changesOf, countSamples, type OwnedReading, type RecorderOracle, sampleName } from "./recorder-oracle.ts";
import type { ScheduleFixture } from "./schedule-fixture.ts";
import { type EventReadings, readAround, readEvents, readPages, readStore } from "./shown-readings.ts";

/** The verdict over one schedule. */
export interface Judgement {
  /** The broken promises. */
  readonly broken: readonly string[];
  /** Samples that exist at the end. */
  readonly samples: number;
  /** Samples in events. */
  readonly published: number;
}

/** What the verdict depends on beside the requests. */
interface Circumstances {
  readonly isCalm: boolean;
  /** Whether the team receives historical data as daily events. */
  readonly sendsHistory: boolean;
  readonly random: SeededRandom;
}

/** Compares what the service shows at the end of a schedule with the oracle. */
export class ScheduleVerdict {
  readonly #stage: ScheduleFixture;
  readonly #users: readonly UserRecord[];
  readonly #oracle: RecorderOracle;
  readonly #sent: SentContents;
  readonly #broken: string[] = [];

  constructor(stage: ScheduleFixture, users: readonly UserRecord[], oracle: RecorderOracle) {
    this.#stage = stage;
    this.#users = users;
    this.#oracle = oracle;
    this.#sent = sentContents(oracle.received);
  }

  async judge({ isCalm, sendsHistory, random }: Circumstances): Promise<Judgement> {
    const expected = this.#oracle.samplesAt();
    const each = async <T>(of: (user: UserRecord) => Promise<T[]>) => (await Promise.all(this.#users.map(of))).flat();
    this.#compare("store", await each((user) => readStore(this.#stage, user)), expected);
    this.#compare("page", await each((user) => readPages(this.#stage, user)), expected);
    const { receivedAt } = random.pick(this.#oracle.received);
    const then = await each((user) => readStore(this.#stage, user, receivedAt));
    this.#compare(`as of ${receivedAt}`, then, this.#oracle.samplesAt(receivedAt));
    await this.#judgeCurrent(expected);
    const events = await each((user) => readEvents(this.#stage, user));
    this.#judgeEvents(events, expected, sendsHistory);
    if (isCalm) this.#judgeExactEvents(events, sendsHistory);
    await this.#judgeReceipts(isCalm, expected.size);
    return {
      broken: this.#broken,
      samples: expected.size,
      published: events.flatMap(({ readings }) => readings).length,
    };
  }

  #compare(view: string, found: readonly OwnedReading[], expected: ReadonlyMap<string, OwnedReading>): void {
    this.#broken.push(...compareReadings(found, expected, this.#sent).map((problem) => `${view}: ${problem}`));
  }

  /** Checks the samples that a late attempt to send an event finds, for each request. */
  async #judgeCurrent(expected: ReadonlyMap<string, OwnedReading>): Promise<void> {
    for (const { userId, request } of this.#oracle.received) {
      const user = this.#users.find(({ user_id }) => user_id === userId)!;
      const resource = request.sent[0]?.resource;
      if (!resource || request.sent.length > 100) continue;
      const startsMs = request.sent.filter((one) => one.resource === resource).map((one) => one.startMs);
      const found = await readAround(this.#stage, user, { origin: request.origin, resource, startsMs });
      const names = new Set(found.map(sampleName));
      for (const one of found)
        if (contentOf(one.reading) !== contentOf(expected.get(sampleName(one))?.reading ?? one.reading))
          this.#broken.push(`current: wrong ${sampleName(one)}`);
        else if (!expected.has(sampleName(one))) this.#broken.push(`current: extra ${sampleName(one)}`);
      for (const [name, { reading }] of expected) {
        const isOwn = name === sampleName({ userId, origin: request.origin, reading });
        const isWanted = isOwn && reading.resource === resource && startsMs.includes(reading.startMs);
        if (isWanted && !names.has(name)) this.#broken.push(`current: lost ${name}`);
      }
    }
  }

  /** Each event contains only what its request sent, and each final value was published. */
  #judgeEvents(
    events: readonly EventReadings[],
    expected: ReadonlyMap<string, OwnedReading>,
    sendsHistory: boolean,
  ): void {
    const brought = new Map(this.#oracle.received.map((one) => [one.receiptId, changesOf(one)]));
    const published = new Set<string>();
    for (const { receiptId, readings } of events)
      for (const one of readings) {
        const sent = brought.get(receiptId)?.get(sampleName(one));
        const isSent = sent && contentOf(sent.reading) === contentOf(one.reading);
        if (!isSent) this.#broken.push(`event of ${receiptId}: contains ${sampleName(one)} ${contentOf(one.reading)}`);
        published.add(`${sampleName(one)} ${contentOf(one.reading)}`);
      }
    const quiet = sendsHistory ? new Set<string>() : this.#sentInHistory();
    for (const [name, { reading }] of expected) {
      const value = `${name} ${contentOf(reading)}`;
      if (!published.has(value) && !quiet.has(value)) this.#broken.push(`event: none contains ${value}`);
    }
  }

  /** The values that a history brought, which no event of the team needs to contain. */
  #sentInHistory(): Set<string> {
    const histories = this.#oracle.received.filter(({ request }) => request.stage === "historical");
    return new Set(
      histories.flatMap((one) =>
        [...changesOf(one)].flatMap(([name, owned]) => (owned ? [`${name} ${contentOf(owned.reading)}`] : [])),
      ),
    );
  }

  /** In a calm schedule the events contain exactly what each request changes. */
  #judgeExactEvents(events: readonly EventReadings[], sendsHistory: boolean): void {
    const stages = new Map(this.#oracle.received.map(({ receiptId, request }) => [receiptId, request.stage]));
    const text = (all: readonly OwnedReading[]) => all.map((one) => `${sampleName(one)} ${contentOf(one.reading)}`);
    for (const [receiptId, outcome] of this.#oracle.outcomes())
      for (const verb of ["created", "updated"] as const) {
        const own = events.filter((event) => event.receiptId === receiptId && event.verb === verb);
        const published = text(own.flatMap((event) => event.readings)).sort();
        const isPublished = sendsHistory || stages.get(receiptId) === "daily";
        const due = isPublished ? text(outcome[verb]).sort() : [];
        if (published.join() !== due.join())
          this.#broken.push(`events ${verb} of ${receiptId}: [${published}] for [${due}]`);
      }
  }

  /** The counts of each receipt add up; in a calm schedule they are exact. */
  async #judgeReceipts(isCalm: boolean, living: number): Promise<void> {
    const outcomes = this.#oracle.outcomes();
    let changed = 0;
    for (const one of this.#oracle.received) {
      const user = this.#users.find(({ user_id }) => user_id === one.userId)!;
      const receipt = await this.#stage.receipts.get(TeamScope.grant(user.team_id), one.userId, one.receiptId);
      const { status, stored = NaN, updated = NaN, unchanged = NaN } = receipt ?? {};
      const counts = JSON.stringify([stored, updated, unchanged]);
      changed += stored + updated;
      if (status !== "done") this.#broken.push(`receipt ${one.receiptId}: ${status}`);
      if (stored + updated + unchanged !== countSamples(one))
        this.#broken.push(`receipt ${one.receiptId}: ${counts} for ${countSamples(one)} samples`);
      const outcome = outcomes.get(one.receiptId)!;
      const [created, changes] = [outcome.created.length, outcome.updated.length + outcome.deletions];
      const due = JSON.stringify([created, changes, outcome.samples - created - changes]);
      if (isCalm && counts !== due) this.#broken.push(`receipt ${one.receiptId}: ${counts} instead of ${due}`);
    }
    if (changed < living) this.#broken.push(`receipts: ${changed} changes for ${living} samples`);
  }
}
