import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Reads the directory that a pointer in the cache names; undefined if the pointer or the directory does not exist. */
export function readPointer(cache: string, name: string): string | undefined {
  const pointer = join(cache, name);
  const directory = existsSync(pointer) ? readFileSync(pointer, "utf8") : undefined;
  return directory !== undefined && existsSync(directory) ? directory : undefined;
}

/** Publishes a finished directory by one rename, so that no reader sees a part of it. */
export function writePointer(cache: string, name: string, directory: string): void {
  const pointer = join(cache, name);
  writeFileSync(`${pointer}.${process.pid}`, directory);
  renameSync(`${pointer}.${process.pid}`, pointer);
}
