import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import {
  type LakeTableName,
  lakeTable,
  lakeTableNames,
  lakeTablePrefix,
} from "../../../../lib/domain/lake/lake-tables.ts";
import { decodeRows } from "../../../../lib/services/lake/iceberg/parquet-rows.ts";
import { listLiveFiles, readTable, type TableObjects } from "../../../../lib/services/lake/iceberg/table-state.ts";
import type { TestService } from "../../../support/service.ts";

/** The bucket of the lake, read at the S3 engine itself. */
export function lakeObjects({ cloud }: TestService): TableObjects {
  const bucket = process.env.BUCKET_LAKE ?? "";
  const { origin, authorization } = cloud.s3;
  const fetched = async (path: string, method = "GET") => {
    const answer = await fetch(`${origin}/${bucket}${path}`, { method, headers: { authorization } });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer;
  };
  return {
    put: () => Promise.reject(new Error("a test only reads")),
    get: async (key) => new Uint8Array(await (await fetched(`/${key}`)).arrayBuffer()),
    delete: async (key) => void (await fetched(`/${key}`, "DELETE")),
    async *list(prefix) {
      const text = await (await fetched(`?list-type=2&prefix=${encodeURIComponent(prefix)}`)).text();
      if (text.includes("<IsTruncated>true")) throw new Error("more than one page of objects");
      yield* [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
    },
    uri: (key) => `s3://${bucket}/${key}`,
    keyOf: (uri) => uri.slice(`s3://${bucket}/`.length),
  };
}

/** Path of the route of a team's lake. */
export const lakePath = ({ identity }: TestService): string =>
  `/v1/org/${identity.org_id}/team/${identity.team_id}/sandbox/lake`;

/** Downloads the current data files of all tables, and opens them in DuckDB as views with the names of the tables. */
export async function openInDuckdb(service: TestService) {
  const objects = lakeObjects(service);
  const directory = mkdtempSync(join(tmpdir(), "tributary-lake-"));
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("SET TimeZone = 'UTC'");
  const { body } = await service.manage("GET", lakePath(service));
  for (const { name, metadata_location } of body.tables) {
    const files = await downloadTable(objects, name, metadata_location, directory);
    if (files.length === 0) continue;
    const list = files.map((file) => `'${file}'`).join(", ");
    await connection.run(`CREATE VIEW ${name} AS SELECT * FROM read_parquet([${list}], union_by_name = true)`);
  }
  return {
    rows: (sql: string) => readRows(connection, sql),
    close() {
      connection.closeSync();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function downloadTable(objects: TableObjects, name: LakeTableName, location: string, directory: string) {
  const state = await readTable(objects, objects.keyOf(location), lakeTable(name).columns);
  const paths: string[] = [];
  for (const { path } of await listLiveFiles(objects, state)) {
    const file = join(directory, `${crypto.randomUUID()}.parquet`);
    writeFileSync(file, await objects.get(objects.keyOf(path)));
    paths.push(file);
  }
  return paths;
}

async function readRows(connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJson() as Record<string, unknown>[];
}

/** Keys of all objects of the lake of the first team. */
export async function listLakeKeys(service: TestService): Promise<string[]> {
  const keys = lakeTableNames.map((name) =>
    Array.fromAsync(lakeObjects(service).list(lakeTablePrefix(service.identity.team_id, name))),
  );
  return (await Promise.all(keys)).flat();
}

/** Counts the rows of each user in every Parquet object of the bucket, used or not. */
export async function readAllRows(service: TestService): Promise<Map<string, number>> {
  const objects = lakeObjects(service);
  const counts = new Map<string, number>();
  for (const key of await listLakeKeys(service)) {
    if (!key.endsWith(".parquet")) continue;
    for (const { user_id } of await decodeRows(userColumn, await objects.get(key))) {
      counts.set(String(user_id), (counts.get(String(user_id)) ?? 0) + 1);
    }
  }
  return counts;
}

const userColumn = lakeTable("samples").columns.filter(({ name }) => name === "user_id");

/** Bytes of all objects of the lake. */
export async function countLakeBytes(service: TestService): Promise<number> {
  const objects = lakeObjects(service);
  let bytes = 0;
  for (const key of await listLakeKeys(service)) bytes += (await objects.get(key)).length;
  return bytes;
}
