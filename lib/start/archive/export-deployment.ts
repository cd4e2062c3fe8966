import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JWK } from "jose";
import type { TableResource } from "../../contract/resource-kinds.ts";
import { buckets, erasureTable, lake, tables, userKeyTable } from "../../contract/resources.ts";
import type { Item, Key } from "../../store/item.ts";
import { AdminRefused } from "../admin-refused.ts";
import type { DeploymentSource } from "../restore/deployment-data.ts";
import { planItem } from "../restore/item-plan.ts";
import { KeyChange } from "../restore/key-change.ts";
import { ArchiveKey } from "./archive-key.ts";
import { type ArchivePart, type ArchiveScope, MANIFEST_FILE, signManifest } from "./archive-manifest.ts";
import { ArchiveSecrets } from "./archive-secrets.ts";
import { addObjects } from "./object-records.ts";
import { PartWriter } from "./part-writer.ts";

/** Options of an export. */
export interface ExportOptions {
  readonly from: DeploymentSource;
  /** Name of the deployment. */
  readonly deployment: string;
  /** A new or empty directory. */
  readonly directory: string;
  /** Public key of who may read the archive. */
  readonly recipient: JWK;
  /** Everything by default. */
  readonly scope?: ArchiveScope;
  /** The instant of the tables, epoch ms; undefined if they are read as they are. */
  readonly at?: number | undefined;
  /** Epoch ms. */
  readonly now: number;
  /** Called before each step. */
  readonly onStep?: (step: string) => void;
}

/** What an export wrote. */
export interface ExportReport {
  /** Items or parts of objects, by table and bucket. */
  readonly records: Readonly<Record<string, number>>;
  readonly parts: number;
  readonly bytes: number;
}

/**
 * Writes a deployment to an archive that only its recipient can read. Secrets leave the KMS keys of the deployment for
 * the key of the archive. The manifest is written last.
 * @throws AdminRefused if the directory is not empty, or the recipient is no public key.
 */
export async function exportDeployment(options: ExportOptions): Promise<ExportReport> {
  const { from, directory, scope = "deployment", at, onStep = () => {} } = options;
  const archiveKey = ArchiveKey.generate();
  const key = await archiveKey.seal(options.recipient);
  await openDirectory(directory);
  const secrets = new ArchiveSecrets(archiveKey.derive("secrets"));
  const change = new KeyChange(from.keys, secrets);
  const writerFor = (name: string) => new PartWriter(directory, archiveKey.derive("parts"), name);
  const written = new Map<string, readonly ArchivePart[]>();
  for (const table of scope === "erasures" ? [erasureTable] : tables) {
    onStep(`exports the table ${table.name}`);
    const writer = writerFor(`tables/${table.name}`);
    for await (const item of readItems(from, table, change)) await writer.add(item);
    if (table === userKeyTable) for (const item of secrets.items()) await writer.add(item);
    written.set(table.name, await writer.end());
  }
  for (const bucket of scope === "erasures" ? [] : buckets.filter((one) => one !== lake)) {
    onStep(`exports the bucket ${bucket.name}`);
    const writer = writerFor(`buckets/${bucket.name}`);
    for await (const page of from.objects(bucket)) await addObjects(writer, page);
    written.set(bucket.name, await writer.end());
  }
  const parts = [...written.values()].flat();
  const about = { format: 1, deployment: options.deployment, scope, exported_at: toIso(options.now) } as const;
  const manifest = { ...about, at: at === undefined ? null : toIso(at), key, parts };
  const signed = signManifest(manifest, archiveKey.derive("manifest"));
  await writeFile(join(directory, MANIFEST_FILE), `${JSON.stringify(signed, null, 1)}\n`, { mode: 0o600, flag: "wx" });
  return {
    records: Object.fromEntries(Array.from(written, ([name, all]) => [name, sum(all.map(({ records }) => records))])),
    parts: parts.length,
    bytes: sum(parts.map(({ bytes }) => bytes)),
  };
}

/** Reads what a restore needs of a table, with secrets under the key of the archive. */
async function* readItems(from: DeploymentSource, table: TableResource, change: KeyChange): AsyncGenerator<Item & Key> {
  for await (const page of from.items(table))
    for (const item of page) {
      const changed = planItem(item) === "never" ? undefined : await change.apply(item);
      if (changed) yield changed;
    }
}

async function openDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new AdminRefused(`the directory ${directory} is not empty`);
  for (const name of ["tables", "buckets"]) await mkdir(join(directory, name), { mode: 0o700 });
}

const toIso = (ms: number) => new Date(ms).toISOString();
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
