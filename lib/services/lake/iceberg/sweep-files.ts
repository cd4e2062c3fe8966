import { namedAtMs } from "./file-names.ts";
import { listReferencedKeys, type TableObjects, type TableState } from "./table-state.ts";

/** Minimum age of an unused file, in milliseconds: longer than any writer runs before it commits or stops. */
export const UNUSED_FILE_MS = 60 * 60_000;

/** The table after a commit, and which unused files the sweep deletes besides old ones. */
export interface Sweep {
  readonly state: TableState;
  readonly metadataKey: string;
  readonly prefix: string;
  readonly nowMs: number;
  /** Decides about an unused file that a writer may still commit. By default it stays. */
  readonly mustDelete?: (key: string) => boolean | Promise<boolean>;
}

/** Deletes the files below the table's prefix that no snapshot uses. @returns the number of deleted files. */
export async function sweepFiles(objects: TableObjects, sweep: Sweep): Promise<number> {
  const { state, metadataKey, prefix, nowMs, mustDelete = () => false } = sweep;
  const used = (await listReferencedKeys(objects, state)).add(metadataKey);
  const unused: string[] = [];
  for await (const key of objects.list(prefix)) if (!used.has(key)) unused.push(key);
  let deleted = 0;
  for (const key of unused) {
    if (namedAtMs(key) > nowMs - UNUSED_FILE_MS && !(await mustDelete(key))) continue;
    await objects.delete(key);
    deleted++;
  }
  return deleted;
}
