import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isMainThread } from "node:worker_threads";
import { StartRefused } from "./start-refused.ts";

/**
 * Where all state of a local cloud lives; held by one process at a time, and readable by its owner alone. From its
 * making on, so is every file that this process or one that it starts creates.
 */
export class DataDirectory {
  readonly path: string;
  readonly #lock: DatabaseSync;

  /** @throws StartRefused when another process holds the directory, or it can not be written. */
  constructor(path: string) {
    this.path = resolve(path);
    try {
      if (isMainThread) process.umask(0o077);
      mkdirSync(this.path, { recursive: true, mode: 0o700 });
      closeToOthers(this.path);
      this.#lock = new DatabaseSync(this.file("lock.sqlite"));
      // The operating system ends a lock of SQLite with its process, so a SIGKILL leaves none behind.
      this.#lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (x); COMMIT");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isHeld = reason.includes("locked") || reason.includes("busy");
      throw new StartRefused(isHeld ? `another process uses ${this.path}` : `${this.path} can not be used: ${reason}`);
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** A JSON file, or undefined when it is not there. @throws StartRefused when it is there and can not be read. */
  read(name: string): unknown {
    let text: string;
    try {
      text = readFileSync(this.file(name), "utf8");
    } catch {
      return undefined;
    }
    try {
      return JSON.parse(text);
    } catch {
      throw new StartRefused(`${this.file(name)} is damaged; delete ${this.path} to start afresh`);
    }
  }

  /** Writes a JSON file as a whole or not at all. */
  write(name: string, value: unknown): void {
    const draft = this.file(`${name}.draft`);
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.file(name));
  }

  remove(name: string): void {
    rmSync(this.file(name), { force: true });
  }

  close(): void {
    this.#lock.close();
  }
}

/** What this version or an earlier one has written; nothing else is touched. */
const OWN_NAME = /^(s3|[\w-]+\.(sqlite(-\w+)?|json|log|key)(\.draft)?)$/;

/** Takes from others what they may do with our files, and with the directory unless somebody else's files are there. */
function closeToOthers(path: string): void {
  const names = readdirSync(path);
  const own = names.filter((name) => OWN_NAME.test(name));
  if (names.every((name) => name.startsWith(".") || own.includes(name))) chmodSync(path, 0o700);
  for (const name of own) closeAll(join(path, name));
}

function closeAll(path: string): void {
  const found = lstatSync(path);
  if (found.isFile()) chmodSync(path, 0o600);
  if (!found.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) closeAll(join(path, name));
}
