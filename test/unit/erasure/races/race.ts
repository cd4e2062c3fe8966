import type { DeletionInput } from "../../../../lib/domain/erasure/deletion-input.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { StepScheduler } from "../../support/step-scheduler.ts";
import { type Call, type CompletedCall, type DrawnId, describeCall, type Outcome } from "./call-history.ts";
import { findLinearizations } from "./find-linearizations.ts";
import type { RaceFixture } from "./race-fixture.ts";
import { CLIENT_USER_IDS, drawCallerCalls, drawClockJump, drawInitialCalls } from "./race-workload.ts";
import { findBrokenInvariants, findUnfinishedDeletions, matchesModel } from "./stored-invariants.ts";

const STARTS_AT_MS = Date.parse("2026-03-01T12:00:00.000Z");
const HOUR_MS = 3_600_000;

/** A broken rule, with the history, the trace and the command that replays the run. */
export class RaceViolation extends Error {
  constructor(
    seed: number,
    broken: readonly string[],
    race: { history: readonly CompletedCall[]; trace: readonly string[] },
  ) {
    const history = race.history.map((performed) => `  ${describeCall(performed)}`);
    const trace = race.trace.map((step) => `  ${step}`);
    const replay = `Replay: npm run drill -- races --runs 1 --seed ${seed}`;
    super([`seed ${seed}: ${broken.join("; ")}`, "Calls:", ...history, "Steps:", ...trace, replay].join("\n"));
    this.name = "RaceViolation";
  }
}

/**
 * One run: random calls, timers and clock jumps whose requests interleave in a random order, all from one seed.
 * Afterwards some order of the calls must explain every response ({@link findLinearizations}), the stored items must match
 * that order and the invariants of {@link findBrokenInvariants}, and once all time has passed no deletion may be unfinished.
 */
export class Race {
  readonly history: CompletedCall[] = [];
  readonly #seed: number;
  readonly #stage: RaceFixture;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  /** Whether an undo really stops the timer. Correctness must not depend on it. */
  readonly #isStopHeeded: boolean;
  /** Whether some requests and responses are lost: true for odd seeds. */
  readonly #isFaulty: boolean;
  #nowMs = STARTS_AT_MS;
  #events = 0;

  constructor(seed: number, stage: RaceFixture) {
    this.#seed = seed;
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#random);
    this.#isStopHeeded = this.#random.isWithinPercent(50);
    this.#isFaulty = seed % 2 === 1;
  }

  /** Every step so far, in order. */
  get trace(): readonly string[] {
    return this.#turns.trace;
  }

  /** Runs the race. @throws {@link RaceViolation} when a rule is broken. */
  async run(): Promise<void> {
    this.#stage.prepare({
      awaitTurn: (step) => this.#turns.awaitTurn(step),
      now: () => this.#nowMs,
      uuid: () => this.#random.uuid(),
    });
    this.#stage.stepFunctions.onStart = (name, deletion) => this.#hold(name, deletion);
    try {
      await this.#open();
      await this.#compete();
      await this.#readBack();
      await this.#settle();
      await this.#explain();
    } catch (error) {
      throw error instanceof RaceViolation ? error : this.#lost([String(error), ...this.#stage.log.slice(-3)]);
    } finally {
      await this.#stage.deleteItems();
    }
  }

  /** Runs the initial calls sequentially and without faults. */
  async #open(): Promise<void> {
    for (const draw of drawInitialCalls(this.#random)) await this.#perform(draw(this.#known()));
    const [erasure] = this.#deletions().map(({ erase_at }) => Date.parse(erase_at));
    if (erasure !== undefined && this.#random.isWithinPercent(60))
      this.#nowMs = erasure - this.#random.pick([0, 1, HOUR_MS]);
  }

  async #compete(): Promise<void> {
    this.#turns.faultPercent = this.#isFaulty ? 8 : 0;
    const tasks = 3 + this.#random.integerBelow(3);
    for (let task = 1; task <= tasks; task++) {
      const calls = drawCallerCalls(this.#random);
      this.#turns.add(`caller ${task}`, async () => {
        for (const draw of calls) await this.#perform(draw(this.#known()));
      });
    }
    for (let jumps = this.#random.integerBelow(3); jumps > 0; jumps--)
      this.#turns.add("clock", async () => this.#jump());
    const isWatched = this.#seed % 50 < 2;
    const watch = async () => this.#refuse(findBrokenInvariants(await this.#stage.readItems()));
    await this.#turns.run(isWatched ? watch : undefined);
    this.#turns.faultPercent = 0;
  }

  /** Reads the result of the race as a caller. */
  async #readBack(): Promise<void> {
    await this.#perform({ kind: "resolve", reference: this.#random.pick(CLIENT_USER_IDS) });
    await this.#perform({ kind: "list" });
  }

  /** Lets all time pass. Every standing deletion completes, including a deletion whose start was lost. */
  async #settle(): Promise<void> {
    this.#nowMs += 15 * 24 * HOUR_MS;
    await this.#turns.run();
    if (this.#isFaulty) await this.#stage.service.sweep();
    await this.#turns.run();
    for (const userId of this.#known().users.slice(0, 1)) await this.#perform({ kind: "get", userId });
    await this.#perform({ kind: "create", reference: this.#random.pick(CLIENT_USER_IDS) });
  }

  async #explain(): Promise<void> {
    const items = await this.#stage.readItems();
    this.#refuse([...findBrokenInvariants(items), ...findUnfinishedDeletions(items)]);
    const states = findLinearizations(this.history);
    if (states.length === 0) this.#refuse(["no order of the calls explains all responses"]);
    if (!states.some((state) => matchesModel(state, items)))
      this.#refuse(["the stored items do not match the responses"]);
  }

  /** Simulates the deletion machine for one execution. */
  #hold(name: string, deletion: DeletionInput): void {
    const isOver = () => this.#nowMs >= Date.parse(deletion.erase_at);
    this.#turns.add(name, () => this.#erase(name, deletion), isOver);
    if (this.#random.isWithinPercent(15)) this.#turns.add(`${name} again`, () => this.#erase(name, deletion), isOver);
  }

  /** The machine after its wait. Failed steps are retried, even while the first attempt still runs. */
  async #erase(name: string, deletion: DeletionInput): Promise<void> {
    if (this.#isStopHeeded && this.#stage.stepFunctions.stopped.has(name)) return;
    const begin = () => this.#perform({ kind: "beginErasure", deletion });
    for (;;) {
      if (this.#random.isWithinPercent(15)) this.#turns.add(`${name} abandoned try`, async () => void (await begin()));
      const outcome = await begin();
      if (outcome?.proceed === false) return;
      const isDead = outcome === undefined || this.#random.isWithinPercent(20);
      if (!isDead && (await this.#stage.service.eraseUser(deletion))) return;
    }
  }

  async #perform(call: Call): Promise<Outcome | undefined> {
    const [invokedAt, fromMs, draws] = [this.#events++, this.#nowMs, [] as DrawnId[]];
    const outcome = await this.#stage.collectDrawnIds(draws, () => this.#stage.service.call(call));
    if (call.kind === "delete" && outcome?.status === 200) this.#mustBeStarted(call.userId);
    this.history.push({ call, invokedAt, returnedAt: this.#events++, fromMs, toMs: this.#nowMs, draws, outcome });
    return outcome;
  }

  /** A successful deletion must have started its machine. */
  #mustBeStarted(userId: string): void {
    if (this.#deletions().some(({ user_id }) => user_id === userId)) return;
    this.#refuse([`the deletion of ${userId} succeeded without a started machine`]);
  }

  #jump(): void {
    this.#nowMs = drawClockJump(this.#random, this.#nowMs, this.#deletions());
  }

  #deletions(): DeletionInput[] {
    return [...this.#stage.stepFunctions.started.values()];
  }

  /** The ids that a caller knows: created users and started deletions. */
  #known() {
    const users = this.history.flatMap(({ call, outcome }) =>
      call.kind === "create" && outcome?.status === 200 && outcome.user?.user_id ? [outcome.user.user_id] : [],
    );
    return { users, deletions: this.#deletions() };
  }

  #refuse(broken: readonly string[]): void {
    if (broken.length > 0) throw this.#lost(broken);
  }

  #lost(broken: readonly string[]): RaceViolation {
    return new RaceViolation(this.#seed, broken, this);
  }
}
