import type { ModelState, StateLayout } from "./state-layout.ts";

const FIRST_CAPACITY = 1 << 16;
/** Share of used slots at which the table grows. */
const MAX_FILL = 0.6;

/** A set of packed states in the order of their addition, each with the state that it was reached from. Exact. */
export class StateSet<S extends ModelState> {
  size = 0;
  readonly #layout: StateLayout<S>;
  readonly #key: Float64Array;
  #packed: Float64Array;
  #origins = new Int32Array(FIRST_CAPACITY);
  /** Position of a state plus one, by its hash; 0 for a free slot. */
  #slots = new Int32Array(2 * FIRST_CAPACITY);

  constructor(layout: StateLayout<S>) {
    this.#layout = layout;
    this.#key = new Float64Array(layout.words);
    this.#packed = new Float64Array(layout.words * FIRST_CAPACITY);
  }

  /** Adds a state. @param origin position of the state that it was reached from. @returns whether it is new. */
  add(state: S, origin: number): boolean {
    this.#layout.pack(state, this.#key);
    const slot = this.#slotOf(this.#key, 0);
    if (this.#slots[slot] !== 0) return false;
    if (this.size === this.#origins.length) this.#growStates();
    this.#packed.set(this.#key, this.size * this.#layout.words);
    this.#origins[this.size] = origin;
    this.#slots[slot] = ++this.size;
    if (this.size > this.#slots.length * MAX_FILL) this.#growSlots();
    return true;
  }

  /** Returns the state at a position. */
  at(position: number): S {
    return this.#layout.unpack(this.#packed, position * this.#layout.words);
  }

  /** Returns the states from the first one to that at a position, each reached from the one before. */
  pathTo(position: number): S[] {
    const path: S[] = [];
    for (let next = position; next >= 0; next = this.#origins[next] ?? -1) path.unshift(this.at(next));
    return path;
  }

  /** Returns the slot of a packed state, or the free slot where it belongs. */
  #slotOf(source: Float64Array, from: number): number {
    const { words } = this.#layout;
    const mask = this.#slots.length - 1;
    let slot = hash(source, from, words) & mask;
    for (let found = this.#slots[slot] ?? 0; found !== 0; found = this.#slots[slot] ?? 0) {
      if (isSame(this.#packed, (found - 1) * words, source, from, words)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #growStates(): void {
    const packed = new Float64Array(this.#packed.length * 2);
    packed.set(this.#packed);
    const origins = new Int32Array(this.#origins.length * 2);
    origins.set(this.#origins);
    [this.#packed, this.#origins] = [packed, origins];
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let position = 0; position < this.size; position++)
      this.#slots[this.#slotOf(this.#packed, position * this.#layout.words)] = position + 1;
  }
}

/** A hash of some integers (the finalizer of MurmurHash3, by Austin Appleby). */
function hash(source: Float64Array, from: number, words: number): number {
  let mixed = 0;
  for (let word = 0; word < words; word++) {
    const value = source[from + word] ?? 0;
    for (const part of [value >>> 0, Math.floor(value / 2 ** 32)]) {
      mixed = Math.imul(mixed ^ part, 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      mixed ^= mixed >>> 16;
    }
  }
  return mixed >>> 0;
}

function isSame(a: Float64Array, fromA: number, b: Float64Array, fromB: number, words: number): boolean {
  for (let word = 0; word < words; word++) if (a[fromA + word] !== b[fromB + word]) return false;
  return true;
}
