import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { JWK } from "jose";
import { AdminRefused } from "../../../start/admin-refused.ts";

/** Reads a key file, a JWK. @throws AdminRefused for any other file. */
export function readKeyFile(path: string): JWK {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new AdminRefused(`${path} is no key file (npm run admin -- create-archive-keys)`, { cause: error });
  }
}

/** A key and the path of its new file. */
type NewKeyFile = readonly [path: string, key: JWK];

/** Writes key files that only their owner can read, all or none. @throws AdminRefused if one cannot be created. */
export function writeKeyFiles(files: readonly NewKeyFile[]): void {
  if (new Set(files.map(([path]) => path)).size < files.length)
    throw new AdminRefused("each key needs a file of its own");
  for (const [path] of files) if (existsSync(path)) throw existing(path);
  const written: string[] = [];
  try {
    for (const [path, key] of files) {
      writeKeyFile(path, key);
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path);
    throw error;
  }
}

function writeKeyFile(path: string, key: JWK): void {
  try {
    writeFileSync(path, `${JSON.stringify(key)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw existing(path);
    throw new AdminRefused(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

const existing = (path: string) => new AdminRefused(`${path} exists: a key file is never replaced`);
