import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { startDynamodb } from "../../../lib/local/engines/dynamodb.ts";

/** The statement of the engine for each write to a table with a stream. */
const LAST_RECORD = "SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 'events'";

test("engines that start concurrently get separate ports", { tags: "deep" }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "engine-"));
  const starts = Array.from({ length: 8 }, (_, at) => startDynamodb(join(directory, `${at}.sqlite`)));
  const engines = await Promise.all(starts);
  expect(new Set(engines.map(({ origin }) => origin)).size).toBe(engines.length);
  await Promise.all(engines.map((engine) => engine.stop()));
  rmSync(directory, { recursive: true });
});

test("the engine finds the last record of a stream by an index, however many records exist", async () => {
  const directory = mkdtempSync(join(tmpdir(), "engine-"));
  const path = join(directory, "dynamodb.sqlite");
  for (const start of ["first", "second"]) {
    const engine = await startDynamodb(path);
    const database = new DatabaseSync(path, { readOnly: true });
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${LAST_RECORD}`).all();
    database.close();
    await engine.stop();
    expect(JSON.stringify(plan), start).toContain("INDEX stream_order");
  }
  rmSync(directory, { recursive: true });
});
