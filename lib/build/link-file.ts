import { copyFile, link, rm } from "node:fs/promises";

/** Links a file, or copies it where the target is on another file system. */
export async function linkFile(file: string, target: string): Promise<void> {
  await rm(target, { force: true });
  await link(file, target).catch(() => copyFile(file, target));
}
