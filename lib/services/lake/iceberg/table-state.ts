import type { LakeColumn } from "../../../domain/lake/lake-column.ts";
import { decodeManifest, type LiveFile } from "./manifest-file.ts";
import { decodeManifestList, type ManifestReference } from "./manifest-list.ts";
import { currentSnapshot, type TableMetadata, tableMetadata, withColumns } from "./table-metadata.ts";

/** The objects of tables. Keys are relative to the bucket, URIs name it. */
export interface TableObjects {
  put(key: string, content: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array>;
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<string>;
  uri(key: string): string;
  keyOf(uri: string): string;
}

/** A table as its current metadata file describes it. */
export interface TableState {
  readonly metadata: TableMetadata;
  readonly manifests: readonly ManifestReference[];
}

/** Reads a table. @param metadataKey key of its metadata file. @throws Error if a file is missing or damaged. */
export async function readTable(
  objects: TableObjects,
  metadataKey: string,
  columns: readonly LakeColumn[],
): Promise<TableState> {
  const text = Buffer.from(await objects.get(metadataKey)).toString("utf8");
  const metadata = withColumns(tableMetadata.parse(JSON.parse(text)), columns);
  const snapshot = currentSnapshot(metadata);
  return { metadata, manifests: snapshot ? await readManifestList(objects, snapshot["manifest-list"]) : [] };
}

const readManifestList = async (objects: TableObjects, uri: string) =>
  decodeManifestList(await objects.get(objects.keyOf(uri)));

/** Returns the data files of the current snapshot. */
export async function listLiveFiles(
  objects: TableObjects,
  { manifests }: Pick<TableState, "manifests">,
): Promise<LiveFile[]> {
  const files: LiveFile[] = [];
  for (const { manifest_path, sequence_number } of manifests) {
    files.push(...(await decodeManifest(await objects.get(objects.keyOf(manifest_path)), sequence_number)));
  }
  return files;
}

/** Returns the keys of all files that a snapshot of the table uses, without metadata files. */
export async function listReferencedKeys(objects: TableObjects, { metadata }: TableState): Promise<Set<string>> {
  const manifests = new Map<string, ManifestReference>();
  const uris: string[] = [];
  for (const snapshot of metadata.snapshots) {
    uris.push(snapshot["manifest-list"]);
    for (const one of await readManifestList(objects, snapshot["manifest-list"])) manifests.set(one.manifest_path, one);
  }
  const files = await listLiveFiles(objects, { manifests: [...manifests.values()] });
  return new Set([...uris, ...manifests.keys(), ...files.map(({ path }) => path)].map((uri) => objects.keyOf(uri)));
}
