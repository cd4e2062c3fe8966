import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { JWK } from "jose";
import type { BucketResource, TableResource } from "../../contract/resource-kinds.ts";
import { teamKeys, userKeyTable } from "../../contract/resources.ts";
import { decryptBytes } from "../../crypto/encrypted-bytes.ts";
import type { Item, Key } from "../../store/item.ts";
import { AdminRefused } from "../admin-refused.ts";
import type { DeploymentSource } from "../restore/deployment-data.ts";
import { ArchiveKey } from "./archive-key.ts";
import {
  type ArchiveManifest,
  type ArchiveScope,
  archiveManifest,
  isSigned,
  MANIFEST_FILE,
} from "./archive-manifest.ts";
import { ArchiveSecrets } from "./archive-secrets.ts";
import { joinSegments } from "./object-records.ts";
import { fromLine } from "./record-text.ts";

const decompress = promisify(gunzip);

/** An archive that is complete and unchanged. */
export interface OpenArchive {
  readonly manifest: ArchiveManifest;
  readonly source: DeploymentSource;
}

/**
 * Opens an archive and verifies all of it: manifest, key, and the digest of every part.
 * @param identity the private key of its recipient.
 * @throws AdminRefused if it is incomplete, damaged, of another format or scope, or for another recipient.
 */
export async function openArchive(directory: string, identity: JWK, scope: ArchiveScope): Promise<OpenArchive> {
  const manifest = await readManifest(directory);
  const key = await ArchiveKey.unseal(manifest.key, identity);
  if (!isSigned(manifest, key.derive("manifest"))) throw new AdminRefused(`${MANIFEST_FILE} was changed`);
  if (manifest.scope !== scope)
    throw new AdminRefused(`the archive in ${directory} has the scope ${manifest.scope} instead of ${scope}`);
  for (const { name, sha256 } of manifest.parts) {
    const bytes = await readFile(join(directory, name)).catch(() => undefined);
    if (bytes === undefined) throw new AdminRefused(`the part ${name} is missing`);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw new AdminRefused(`the part ${name} is damaged`);
  }
  const records = recordsOf(directory, manifest, key.derive("parts"));
  const items = (table: TableResource) => records(`tables/${table.name}`) as AsyncIterable<(Item & Key)[]>;
  const keys = new ArchiveSecrets(key.derive("secrets"), await readTeamKeys(items(userKeyTable)));
  const objects = (bucket: BucketResource) => joinSegments(singly(records(`buckets/${bucket.name}`)));
  return { manifest, source: { items, objects, keys } };
}

async function readManifest(directory: string): Promise<ArchiveManifest> {
  const text = await readFile(join(directory, MANIFEST_FILE), "utf8").catch(() => undefined);
  if (text === undefined) throw new AdminRefused(`${directory} has no ${MANIFEST_FILE}: the export did not end there`);
  try {
    return archiveManifest.parse(JSON.parse(text));
  } catch (error) {
    throw new AdminRefused(`${MANIFEST_FILE} is damaged, or of a format that this version does not know`, {
      cause: error,
    });
  }
}

/** Returns a function that reads the records of a table or bucket, part by part. */
const recordsOf = (directory: string, { parts }: ArchiveManifest, key: Uint8Array) =>
  async function* (of: string): AsyncGenerator<Item[]> {
    for (const { name } of parts.filter((one) => one.name.startsWith(`${of}-`))) {
      const text = await decompress(decryptBytes(key, await readFile(join(directory, name)), [name]));
      yield text.toString().split("\n").filter(Boolean).map(fromLine);
    }
  };

/** Keeps the keys of teams alone, because an archive has many users. */
async function readTeamKeys(pages: AsyncIterable<readonly (Item & Key)[]>): Promise<(Item & Key)[]> {
  const found = [];
  for await (const item of singly(pages)) if (item.pk.startsWith(teamKeys.keyPrefix)) found.push(item);
  return found;
}

async function* singly<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}
