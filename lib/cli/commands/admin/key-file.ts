import { readFileSync, writeFileSync } from "node:fs";
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

/** Writes a key file that only its owner can read. @throws AdminRefused if the file exists. */
export function writeKeyFile(path: string, key: JWK): void {
  try {
    writeFileSync(path, `${JSON.stringify(key)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new AdminRefused(`${path} cannot be written: a key file is never replaced`, { cause: error });
  }
}
