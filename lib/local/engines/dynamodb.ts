import { type ChildProcess, spawn } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
} from "@aws-sdk/client-dynamodb";
import { freePort, portBeyondBrowsers } from "../free-port.ts";
import { StartRefused } from "../start-refused.ts";
import type { Assembly } from "../template/assembly.ts";
import { engineCommand, findEngine, howToGetEngine } from "./engine-binary.ts";

/** A DynamoDB engine that answers at `origin`; `name` says which one it is. */
export interface DynamodbEngine {
  readonly name: string;
  readonly origin: string;
  stop(): Promise<void>;
}

/** SQLite's name for a database that is never written to a disk, and that no other process can open. */
export const IN_MEMORY = ":memory:";

/** How long the engine may take to answer its first request. */
const START_LIMIT_MS = 30_000;
/** How often it is tried again when somebody else takes its port meanwhile. */
const MOST_LAUNCHES = 5;

/** The engine looks for the last record of a stream at each write to its table, and keeps all of them for ever. */
const STREAM_ORDER = `CREATE INDEX IF NOT EXISTS stream_order
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`;

/**
 * Starts dynoxide on a database file, or uses the engine at DYNAMODB_ENDPOINT.
 * @throws StartRefused with one line that says what to install when there is neither, or why it does not run.
 */
export async function startDynamodb(databasePath: string): Promise<DynamodbEngine> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return { name: given, origin: given.replace(/\/$/, ""), stop: async () => {} };
  const binary = findEngine();
  if (!binary) throw new StartRefused(`no DynamoDB engine: ${howToGetEngine()}`);
  return launch(binary, databasePath, MOST_LAUNCHES);
}

/** The engine asks for no key and lets pages of every origin in, so what it keeps has a port that none can reach. */
async function launch(binary: string, databasePath: string, launches: number): Promise<DynamodbEngine> {
  const port = databasePath === IN_MEMORY ? await freePort() : await portBeyondBrowsers();
  const options = ["--host", "127.0.0.1", "--port", String(port), "--db-path", databasePath];
  const { file, argv } = engineCommand(binary, options, process);
  const child = spawn(file, argv, { stdio: ["pipe", "ignore", "pipe"] });
  const origin = `http://127.0.0.1:${port}`;
  const failure = await answering(child);
  // Another start was faster to take the port.
  if (failure?.includes("already in use") && launches > 1) return launch(binary, databasePath, launches - 1);
  if (failure !== undefined) throw new StartRefused(`the DynamoDB engine did not start: ${failure}`);
  if (databasePath !== IN_MEMORY) indexStreams(databasePath);
  return { name: "dynoxide", origin, stop: () => stop(child) };
}

/** Without an index each write takes longer the more was ever written: half a millisecond for a thousand records. */
function indexStreams(databasePath: string): void {
  const database = new DatabaseSync(databasePath, { timeout: START_LIMIT_MS });
  database.exec(STREAM_ORDER);
  database.close();
}

/**
 * Waits until the engine says that it listens: that somebody answers at its port does not tell that it is this one.
 * @returns what it complains of instead, if it does not come to that.
 */
async function answering(child: ChildProcess): Promise<string | undefined> {
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said = (said + chunk).slice(-500);
  });
  const failure = new Promise<never>((_, reject) => child.once("error", reject));
  const deadline = performance.now() + START_LIMIT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    if (said.includes("listening on")) return undefined;
    await Promise.race([sleep(20), failure]);
  }
  child.stdin?.end();
  return said.trim().split("\n").at(-1) || "no answer";
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  // Without a shell between, nobody ends the engine when its input does.
  if (process.platform === "win32") child.kill();
  await ended;
}

/** Creates the tables of the templates that the engine does not have yet. */
export async function createTables(origin: string, assembly: Assembly): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: origin,
    region: assembly.region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const { type, name, properties } of assembly.resources) {
    if (type !== "AWS::DynamoDB::Table" || TableNames.includes(name)) continue;
    await client.send(new CreateTableCommand(tableInput(name, properties)));
  }
  client.destroy();
}

/** The part of a table's template that DynamoDB's own API takes. */
function tableInput(name: string, properties: Readonly<Record<string, unknown>>): CreateTableCommandInput {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, StreamSpecification } = properties;
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema,
    AttributeDefinitions,
    ...(GlobalSecondaryIndexes ? { GlobalSecondaryIndexes } : {}),
    ...(StreamSpecification ? { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } } : {}),
  } as CreateTableCommandInput;
}
