import type { ObjectStorage } from "../../../../lib/store/summaries/streams.ts";

/** Object storage in memory. */
export class MemoryObjects implements ObjectStorage {
  readonly contents = new Map<string, Uint8Array>();

  async put(name: string, content: Uint8Array) {
    this.contents.set(name, content);
  }
  async get(name: string) {
    const content = this.contents.get(name);
    if (!content) throw new Error("NoSuchKey");
    return content;
  }
  async delete(name: string) {
    this.contents.delete(name);
  }
  async deleteAll(prefix: string) {
    for (const name of this.contents.keys()) if (name.startsWith(prefix)) this.contents.delete(name);
  }
}
