import type { DeletionInput } from "../../../lib/domain/erasure/deletion-input.ts";
import type { Call, DrawnId } from "../../unit/erasure/races/call-history.ts";
import type { RaceFixture } from "../../unit/erasure/races/race-fixture.ts";
import { SeededRandom } from "../../unit/support/seeded-random.ts";
import { StepScheduler } from "../../unit/support/step-scheduler.ts";
import { type DeletionState, userDeletion } from "../user-deletion.ts";
import type { ObservedEffect } from "./replay-trace.ts";
import { StoredUsers } from "./stored-users.ts";

const STARTS_AT_MS = Date.parse("2026-03-01T12:00:00.000Z");
/** Reads before a write, at most. Each takes a caller of the model, because a lost request leaves its caller behind. */
const READS = 40;
/** A model with room for every run. */
export const deletionModel = userDeletion({ users: 12, callers: READS, deletions: 12 });

/** The call that a task runs now. */
interface Running {
  readonly call: Call;
  /** The caller of the model that its last read belongs to. */
  slot?: number;
}

/** The steps of the model for a request. */
interface Explanation extends Pick<ObservedEffect<DeletionState>, "rules" | "impossible"> {
  /** What the caller of the model must have read. */
  readonly reads?: { readonly user: number; readonly deletion: number };
}

/**
 * One run of the real handlers of users and of the erasure timer, for one `client_user_id`. The seed decides the order of
 * requests, the clock and the lost requests. Records what each request did to the store.
 */
export class DeletionTrace {
  readonly effects: ObservedEffect<DeletionState>[] = [];
  readonly #stage: RaceFixture;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #faultPercent: number;
  readonly #running = new Map<string, Running>();
  /** The calls of the tasks before the last step. */
  #ran: ReadonlyMap<string, Running> = new Map();
  readonly #stored = new StoredUsers();
  #nowMs = STARTS_AT_MS;
  #slots = 0;

  constructor(seed: number, stage: RaceFixture) {
    this.#stage = stage;
    this.#random = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#random);
    this.#faultPercent = seed % 2 === 1 ? 8 : 0;
  }

  async run(): Promise<readonly ObservedEffect<DeletionState>[]> {
    this.#stage.prepare({
      awaitTurn: (step) => this.#turns.awaitTurn(step),
      now: () => this.#nowMs,
      uuid: () => this.#random.uuid(),
    });
    this.#stage.stepFunctions.onStart = (name, deletion) => this.#hold(name, deletion);
    try {
      this.#turns.add("first", async () => {
        await this.#perform("first", { kind: "create", reference: "a" });
      });
      await this.#turns.run(() => this.#observe());
      this.#turns.faultPercent = this.#faultPercent;
      for (let caller = 1; caller <= 4; caller++) this.#addCaller(`caller ${caller}`);
      for (let jumps = 1 + this.#random.integerBelow(3); jumps > 0; jumps--)
        this.#turns.add("clock", async () => this.#jump());
      await this.#turns.run(() => this.#observe());
      return this.effects;
    } finally {
      await this.#stage.deleteItems();
    }
  }

  #addCaller(task: string): void {
    const calls = 1 + this.#random.integerBelow(3);
    this.#turns.add(task, async () => {
      for (let count = 0; count < calls; count++) await this.#perform(task, this.#draw());
    });
  }

  #draw(): Call {
    const userId = this.#stored.ids[this.#random.integerBelow(this.#stored.ids.length)] ?? "";
    const deletion = [...this.#stage.stepFunctions.started.values()].at(-1);
    const lot = this.#random.integerBelow(100);
    if (lot < 20) return { kind: "create", reference: "a" };
    if (lot < 55) return { kind: "delete", userId };
    return lot < 90 || !deletion ? { kind: "undo", userId } : { kind: "beginErasure", deletion };
  }

  async #perform(task: string, call: Call): Promise<boolean> {
    this.#running.set(task, { call });
    const draws: DrawnId[] = [];
    const outcome = await this.#stage.collectDrawnIds(draws, () => this.#stage.service.call(call));
    return outcome?.proceed === true;
  }

  /** The state machine of a deletion after its wait. */
  #hold(name: string, deletion: DeletionInput): void {
    const isOver = () => this.#nowMs >= Date.parse(deletion.erase_at);
    const erase = async () => {
      const isBegun = await this.#perform(name, { kind: "beginErasure", deletion });
      if (isBegun) await this.#stage.service.eraseUser(deletion);
    };
    this.#turns.add(name, erase, isOver);
  }

  /** To around the end of a grace period, or a day on. */
  #jump(): void {
    const ends = [...this.#stage.stepFunctions.started.values()].map(({ erase_at }) => Date.parse(erase_at));
    const later = ends.filter((endMs) => endMs >= this.#nowMs);
    if (later.length === 0) this.#nowMs += 24 * 3_600_000;
    else this.#nowMs = Math.max(this.#nowMs, this.#random.pick(later) + this.#random.pick([-1, 0, 0, 1]));
  }

  /** Records what the last request did. */
  async #observe(): Promise<void> {
    const text = this.#turns.trace.at(-1) ?? "";
    const [, task = "", step = "", fault] = /^(.*): (\w+)(?: \((.*)\))?$/.exec(text) ?? [];
    const before = this.#stored.states;
    const isSeen = this.#stored.update(await this.#stage.readItems());
    const running = this.#ran.get(task);
    this.#ran = new Map(this.#running);
    const explained: Explanation = this.#explain(running, step, fault, before);
    const slot = running?.slot;
    const isAt = ({ call, target, read }: DeletionState): boolean => {
      if (slot === undefined || explained.reads === undefined) return true;
      const { user, deletion } = explained.reads;
      return call[slot] !== 0 && target[slot] === user && read[slot] === deletion;
    };
    const { rules, impossible } = explained;
    const named = `${text}: ${running?.call.kind} ${rules} ${this.#stored.states}`;
    this.effects.push({
      text: named,
      rules,
      ...(impossible ? { impossible } : {}),
      isSeen: (state) => isSeen(state) && isAt(state),
    });
    for (const user of this.#stored.takeOver(this.#nowMs))
      this.effects.push({ text: "the clock", rules: [`the grace period of user ${user + 1} ends`], isSeen });
  }

  #explain(
    running: Running | undefined,
    step: string,
    fault: string | undefined,
    before: readonly number[],
  ): Explanation {
    const changed = this.#stored.states.findIndex((state, user) => state !== (before[user] ?? 0));
    const kind = running?.call.kind;
    if (running && step === "GetCommand" && fault === undefined) return this.#explainRead(running);
    const isWrite = step === "TransactWriteCommand" && fault !== "request lost";
    if (isWrite && (kind === "delete" || kind === "undo"))
      return { rules: running?.slot === undefined ? ["caller 0 writes"] : [`caller ${running.slot + 1} writes`] };
    if (isWrite && kind === "create" && changed === -1)
      return { rules: [], impossible: [`user ${this.#stored.ids.length + 1} is created`] };
    if (changed === -1) return { rules: [] };
    const name = `user ${changed + 1}`;
    const names = [`${name} is created`, `the erasure of ${name} begins`, `the erasure of ${name} ends`];
    const [created, begun, ended] = names as [string, string, string];
    if (before.length < this.#stored.states.length) return { rules: [created] };
    return { rules: [this.#stored.states[changed] === 3 ? begun : ended] };
  }

  /** A read after which the handler writes is a step of the model. */
  #explainRead(running: Running): Explanation {
    const { call } = running;
    if (call.kind !== "delete" && call.kind !== "undo") return { rules: [] };
    const user = this.#stored.ids.indexOf(call.userId);
    const isOpen = this.#stored.states[user] === (call.kind === "delete" ? 1 : 2);
    if (!isOpen) return { rules: [] };
    running.slot = this.#slots++;
    const does = call.kind === "delete" ? "delete" : "restore";
    const reads = { user, deletion: this.#stored.deletions[user] ?? 0 };
    return { rules: [`caller ${running.slot + 1} reads a user to ${does}`], reads };
  }
}
