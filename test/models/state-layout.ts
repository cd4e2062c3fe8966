/** A state of a model: small natural numbers by name. Lists have a fixed length. */
export type ModelState = Readonly<Record<string, number | readonly number[]>>;

/** The number of values of a variable; for a list, its length and the number of values of each place. */
type Range = number | { readonly length: number; readonly values: number };

/** The ranges of all variables of a state. */
export type Ranges<S extends ModelState> = { readonly [Name in keyof S]: Range };

/** One number of a state, and its place in the packed state: `word` times `factor`. */
interface Cell {
  readonly name: string;
  /** Undefined for a variable that is no list. */
  readonly index: number | undefined;
  readonly values: number;
  readonly word: number;
  readonly factor: number;
}

/** Packs states into a few exact integers, so that ten million of them fit into memory. */
export class StateLayout<S extends ModelState> {
  /** Integers of a packed state. */
  readonly words: number;
  readonly #cells: readonly Cell[];

  constructor(ranges: Ranges<S>) {
    const cells: Cell[] = [];
    let [word, factor] = [0, 1];
    for (const [name, range] of Object.entries<Range>(ranges)) {
      const { length, values } = typeof range === "number" ? { length: 1, values: range } : range;
      for (let index = 0; index < length; index++) {
        if (factor * values > Number.MAX_SAFE_INTEGER) [word, factor] = [word + 1, 1];
        cells.push({ name, index: typeof range === "number" ? undefined : index, values, word, factor });
        factor *= values;
      }
    }
    this.words = word + 1;
    this.#cells = cells;
  }

  /** Writes a state to `target`. @throws RangeError for a number outside of its range: the model is wrong. */
  pack(state: S, target: Float64Array): void {
    target.fill(0);
    for (const { name, index, values, word, factor } of this.#cells) {
      const variable = state[name];
      const value = index === undefined ? variable : (variable as readonly number[])[index];
      if (typeof value !== "number" || value < 0 || value >= values)
        throw new RangeError(`${name} is ${value} in ${JSON.stringify(state)}`);
      target[word] = (target[word] ?? 0) + value * factor;
    }
  }

  /** Reads the state that begins at a place of `packed`. */
  unpack(packed: Float64Array, from: number): S {
    const state: Record<string, number | number[]> = {};
    for (const { name, index, values, word, factor } of this.#cells) {
      const value = Math.floor((packed[from + word] ?? 0) / factor) % values;
      const list = state[name];
      if (index === undefined) state[name] = value;
      else if (Array.isArray(list)) list.push(value);
      else state[name] = [value];
    }
    return state as S;
  }
}
