import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { StoredData } from "./store-data.ts";

/** A packed data folder of one version: its files in base64, and the version's own reading of its data. */
export interface PackedDataFolder {
  readonly files: Readonly<Record<string, string>>;
  readonly stored: StoredData;
}

const LOGS = /\.log$|^lock|-shm$/;

/** Packs the data folder of a stopped service. */
export function pack(directory: string, stored: StoredData, file: string): void {
  const names = globSync("**", { cwd: directory }).filter(
    (name) => statSync(join(directory, name)).isFile() && !LOGS.test(name),
  );
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), "base64")]));
  writeFileSync(file, gzipSync(JSON.stringify({ files, stored } satisfies PackedDataFolder), { level: 9 }));
}

/** Writes a packed data folder to a directory. @returns the data as its version read it. */
export function unpack(file: string, directory: string): StoredData {
  const { files, stored } = JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as PackedDataFolder;
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(content, "base64"));
  }
  return stored;
}
