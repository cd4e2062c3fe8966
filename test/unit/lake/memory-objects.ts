import type { TableObjects } from "../../../lib/services/lake/iceberg/table-state.ts";

/** Objects in memory. */
export class MemoryObjects implements TableObjects {
  readonly stored = new Map<string, Uint8Array>();
  async put(key: string, content: Uint8Array) {
    this.stored.set(key, content);
  }
  async get(key: string) {
    const found = this.stored.get(key);
    if (!found) throw new Error(`no object ${key}`);
    return found;
  }
  async delete(key: string) {
    this.stored.delete(key);
  }
  async *list(prefix: string) {
    yield* [...this.stored.keys()].filter((key) => key.startsWith(prefix));
  }
  uri = (key: string) => `s3://lake/${key}`;
  keyOf = (uri: string) => uri.slice("s3://lake/".length);
}
