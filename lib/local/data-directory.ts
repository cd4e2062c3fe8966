import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isMainThread } from "node:worker_threads";
import { StartRefused } from "./start-refused.ts";

/**
 * The directory with all state of a local cloud. One process locks it at a time, and only its owner can read it.
 * Creating it sets the umask, so the same holds for every file that this process or its child processes create.
 */
export class DataDirectory {
  readonly path: string;
  readonly #lock: DatabaseSync;

  /** @throws StartRefused when another process uses the directory, or the directory is not writable. */
  constructor(path: string) {
    this.path = resolve(path);
    try {
      if (isMainThread) process.umask(0o077);
      createDirectory(this.path);
      restrictToOwner(this.path);
      this.#lock = new DatabaseSync(this.file("lock.sqlite"));
      // The operating system releases an SQLite lock when the process ends, so a SIGKILL leaves no stale lock.
      this.#lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (x); COMMIT");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isHeld = reason.includes("locked") || reason.includes("busy");
      throw new StartRefused(isHeld ? `another process uses ${this.path}` : `${this.path} cannot be used: ${reason}`);
    }
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Reads a JSON file; undefined when the file does not exist. @throws StartRefused when the file is not JSON. */
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
      throw new StartRefused(`${this.file(name)} is damaged; delete ${this.path} to start over`);
    }
  }

  /** Writes a JSON file atomically. */
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

/** Creates a directory and its parents. Node's recursive mkdirSync never ends where none can be created, as in /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) return;
  createDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Names of the files that this version or an earlier version writes, and of the file with the keys of provider apps,
 * which people write. Permissions of other files stay as they are.
 */
const OWN_FILE_NAME = new RegExp(
  `^(${[
    "s3",
    "(bus|dynamodb|inbox|lock|queues|states|streams)\\.sqlite(-(journal|shm|wal))?",
    "(clock|identity|local|provider-apps)\\.json(\\.draft)?",
    "functions\\.log",
    "kms\\.key",
  ].join("|")})$`,
);

/** Whether a file of the data directory belongs to the service. */
export const isOwnFile = (name: string): boolean => OWN_FILE_NAME.test(name);

/** Makes our files private to their owner, and the directory too unless it contains files that are not ours. */
function restrictToOwner(path: string): void {
  const names = readdirSync(path);
  const own = names.filter(isOwnFile);
  if (names.every((name) => name.startsWith(".") || own.includes(name))) chmodSync(path, 0o700);
  for (const name of own) restrictTree(join(path, name));
}

function restrictTree(path: string): void {
  const found = lstatSync(path);
  if (found.isFile()) chmodSync(path, 0o600);
  if (!found.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) restrictTree(join(path, name));
}
