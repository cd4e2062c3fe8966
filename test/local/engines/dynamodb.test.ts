import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { IN_MEMORY, startDynamodb } from "../../../lib/local/engines/dynamodb.ts";
import { StartRefused } from "../../../lib/local/start-refused.ts";

/** The statement of the engine for each write to a table with a stream. */
const LAST_RECORD = "SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = 'events'";

afterEach(() => void vi.unstubAllEnvs());

test.each(["garbage", "127.0.0.1:8000", "localhost:8000", "ftp://127.0.0.1:8000"])(
  "a start with DYNAMODB_ENDPOINT %s is refused with the name of the variable",
  async (endpoint) => {
    vi.stubEnv("DYNAMODB_ENDPOINT", endpoint);
    const message = "DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000";
    await expect(startDynamodb(IN_MEMORY)).rejects.toThrow(new StartRefused(message));
  },
);

test("a start is refused if nothing, or something else, answers at DYNAMODB_ENDPOINT", async () => {
  const other = createServer((_, response) => response.writeHead(200).end("hello")).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  vi.stubEnv("DYNAMODB_ENDPOINT", `http://127.0.0.1:${port}/`);
  const refusal = /^DYNAMODB_ENDPOINT: no DynamoDB engine answers at http:\/\/127\.0\.0\.1:\d+ \(\w+\)$/;
  await expect(startDynamodb(IN_MEMORY)).rejects.toThrow(refusal);
  other.close();
  other.closeAllConnections();
  await once(other, "close");
  const refused = await startDynamodb(IN_MEMORY).catch((error: Error) => error);
  expect(refused).toEqual(
    new StartRefused(`DYNAMODB_ENDPOINT: no DynamoDB engine answers at http://127.0.0.1:${port} (ECONNREFUSED)`),
  );
});

test("a start uses the engine at DYNAMODB_ENDPOINT", async () => {
  const engine = await startDynamodb(IN_MEMORY);
  vi.stubEnv("DYNAMODB_ENDPOINT", `${engine.origin}/`);
  expect(await startDynamodb(IN_MEMORY)).toMatchObject({ name: engine.origin, origin: engine.origin });
  await engine.stop();
});

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
