import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { FunctionFile } from "./function-files.ts";
import { linkFile } from "./link-file.ts";

/** What the cache knows of a function's file: its digest, and the state of everything from which it was built. */
const cacheEntry = z.object({
  key: z.string(),
  digest: z.string(),
  sources: z.array(z.string()),
  lazyFiles: z.record(z.string(), z.string()),
});

const sha256 = (...parts: readonly (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(String(part.length)).update(":").update(part);
  return hash.digest("hex");
};

/**
 * Caches the files of functions by content. An entry serves only while each source has the content from which the file
 * was built, and the file has the digest that it had then. So a stale or damaged cache builds again.
 */
export class FunctionCache {
  readonly #directory: string;
  readonly #buildDigest: string;
  readonly #root: string;
  readonly #sourceDigests = new Map<string, Promise<string>>();

  /**
   * @param directory folder of the cache; created if it does not exist.
   * @param buildDigest digest of what all functions depend on: packages, options, versions.
   * @param root folder of the sources.
   */
  constructor(directory: string, buildDigest: string, root = ".") {
    this.#root = root;
    this.#directory = directory;
    this.#buildDigest = buildDigest;
  }

  /**
   * Links the cached file of a function, and those that it loads lazily, into a directory.
   * @param entry text of the module by which the bundler enters the function.
   * @returns the names of the lazy files; undefined if the cache has no valid file.
   */
  async restore(operationId: string, entry: string, directory: string): Promise<readonly string[] | undefined> {
    try {
      const known = cacheEntry.parse(JSON.parse(await readFile(this.#place(`${operationId}.json`), "utf8")));
      if ((await this.#key(entry, known.sources)) !== known.key) return undefined;
      const files = { ...known.lazyFiles, [`${operationId}.mjs`]: known.digest };
      for (const [name, digest] of Object.entries(files))
        if (sha256(await readFile(this.#place(name))) !== digest) return undefined;
      for (const name of Object.keys(files)) await linkFile(this.#place(name), join(directory, name));
      return Object.keys(known.lazyFiles);
    } catch {
      return undefined;
    }
  }

  /** Keeps the built file of a function. Each file appears under its name at once, by a rename. */
  async keep({ operationId, file, sources, lazyFiles }: FunctionFile, entry: string): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    const digests: Record<string, string> = {};
    for (const name of lazyFiles) digests[name] = await this.#put(join(dirname(file), name), name);
    const digest = await this.#put(file, `${operationId}.mjs`);
    const known = { key: await this.#key(entry, sources), digest, sources, lazyFiles: digests };
    await this.#publish(`${operationId}.json`, (place) => writeFile(place, JSON.stringify(known)));
  }

  #place(name: string): string {
    return join(this.#directory, name);
  }

  async #put(file: string, name: string): Promise<string> {
    await this.#publish(name, (place) => linkFile(file, place));
    return sha256(await readFile(file));
  }

  async #publish(name: string, write: (place: string) => Promise<void>): Promise<void> {
    const temporary = this.#place(`${name}.${process.pid}`);
    await rm(temporary, { force: true });
    await write(temporary);
    await rename(temporary, this.#place(name));
  }

  async #key(entry: string, sources: readonly string[]): Promise<string> {
    const digests = await Promise.all(sources.map(async (source) => `${source} ${await this.#digestOf(source)}`));
    return sha256(this.#buildDigest, entry, digests.join("\n"));
  }

  #digestOf(source: string): Promise<string> {
    const digest =
      this.#sourceDigests.get(source) ?? readFile(join(this.#root, source)).then((content) => sha256(content));
    this.#sourceDigests.set(source, digest);
    return digest;
  }
}
