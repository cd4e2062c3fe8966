/** A map of at most `maxSize` entries. A new entry evicts the oldest one. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: string, value: Value): this {
    const [oldest] = this.keys();
    if (oldest !== undefined && this.size >= this.#maxSize && !this.has(key)) this.delete(oldest);
    return super.set(key, value);
  }
}
