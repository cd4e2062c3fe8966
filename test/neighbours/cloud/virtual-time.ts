/** What happens at an instant. */
interface Planned {
  readonly atMs: number;
  readonly order: number;
  readonly work: () => void;
}

/** Ends the turn of the event loop, with the work that it queued for its end. */
const endTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Time that passes from one planned event to the next. Everything that an event starts gets as far as it can before the
 * next event, so a run depends on its plan alone.
 */
export class VirtualTime {
  #nowMs: number;
  #order = 0;
  /** A binary heap, the earliest event first. */
  readonly #heap: Planned[] = [];

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  /** Whole epoch milliseconds, as clocks show them. */
  now(): number {
    return Math.floor(this.#nowMs);
  }

  /** Plans work. @param atMs epoch milliseconds. */
  at(atMs: number, work: () => void): void {
    const planned = { atMs: Math.max(atMs, this.#nowMs), order: this.#order++, work };
    this.#heap.push(planned);
    let place = this.#heap.length - 1;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (!isBefore(planned, this.#heap[parent] as Planned)) break;
      this.#heap[place] = this.#heap[parent] as Planned;
      place = parent;
    }
    this.#heap[place] = planned;
  }

  after(durationMs: number): Promise<void> {
    return new Promise((resolve) => this.at(this.#nowMs + durationMs, resolve));
  }

  /** Lets time pass until an instant (epoch ms), or until `isOver`. */
  async passUntil(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
    for (let next = this.#heap[0]; next && next.atMs <= untilMs && !isOver(); next = this.#heap[0]) {
      this.#takeFirst();
      this.#nowMs = next.atMs;
      next.work();
      // Reads of one turn are collected until its end, and go out in the turn after.
      await endTurn();
      await endTurn();
    }
    if (!isOver()) this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  #takeFirst(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#heap.length) break;
      const right = left + 1;
      const isRight = right < this.#heap.length && isBefore(this.#heap[right] as Planned, this.#heap[left] as Planned);
      const child = isRight ? right : left;
      if (!isBefore(this.#heap[child] as Planned, last)) break;
      this.#heap[place] = this.#heap[child] as Planned;
      place = child;
    }
    this.#heap[place] = last;
  }
}

const isBefore = (one: Planned, other: Planned): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
