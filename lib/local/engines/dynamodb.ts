import { type ChildProcess, spawn } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
  UpdateTableCommand,
} from "@aws-sdk/client-dynamodb";
import { findBrowserBlockedPort, findFreePort } from "../free-port.ts";
import { StartRefused } from "../start-refused.ts";
import type { ResolvedAssembly } from "../template/read-assembly.ts";
import { engineCommand, engineInstallHint, findEngine } from "./engine-binary.ts";

/** A running DynamoDB engine. `name` is the product or the configured endpoint. */
export interface DynamodbEngine {
  readonly name: string;
  readonly origin: string;
  stop(): Promise<void>;
}

/** SQLite's name for an in-memory database: never written to disk, and closed to other processes. */
export const IN_MEMORY = ":memory:";

/** Maximum time until the engine listens. */
const START_TIMEOUT_MS = 30_000;
/** Maximum times until an engine that runs already accepts a connection and answers. */
const GIVEN_ENGINE_TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: START_TIMEOUT_MS };
/** Maximum number of launches when another process takes the port in the meantime. */
const MAX_LAUNCHES = 5;

/** The engine searches the last stream record at each write, and never deletes stream records. */
const CREATE_STREAM_INDEX = `CREATE INDEX IF NOT EXISTS stream_order
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`;

/**
 * Starts dynoxide on a database file, or uses the engine at DYNAMODB_ENDPOINT.
 * @throws StartRefused when no engine is installed, with the install command, or when the engine does not start or answer.
 */
export async function startDynamodb(databasePath: string): Promise<DynamodbEngine> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return useGivenEngine(given);
  const binary = findEngine();
  if (!binary) throw new StartRefused(`no DynamoDB engine: ${engineInstallHint()}`);
  return launch(binary, databasePath, MAX_LAUNCHES);
}

/** Uses an engine that runs already. @throws StartRefused when the address is invalid or no engine answers there. */
async function useGivenEngine(address: string): Promise<DynamodbEngine> {
  const { protocol, host } = URL.parse(address) ?? {};
  const isAddress = (protocol === "http:" || protocol === "https:") && host;
  if (!isAddress) throw new StartRefused("DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000");
  const origin = address.replace(/\/$/, "");
  const client = createEngineClient(origin, "us-east-1", { maxAttempts: 1, requestHandler: GIVEN_ENGINE_TIMEOUTS });
  try {
    await client.send(new ListTablesCommand({ Limit: 1 }));
  } catch (error) {
    const { name, code = name } = error as NodeJS.ErrnoException;
    throw new StartRefused(`DYNAMODB_ENDPOINT: no DynamoDB engine answers at ${protocol}//${host} (${code})`);
  } finally {
    client.destroy();
  }
  return { name: origin, origin, stop: async () => {} };
}

function createEngineClient(endpoint: string, region: string, options: DynamoDBClientConfig = {}): DynamoDBClient {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  return new DynamoDBClient({ endpoint, region, credentials, ...options });
}

/**
 * The engine does not authenticate requests and allows every origin. An engine with stored data therefore listens on a
 * port that browsers block.
 */
async function launch(binary: string, databasePath: string, launches: number): Promise<DynamodbEngine> {
  const port = databasePath === IN_MEMORY ? await findFreePort() : await findBrowserBlockedPort();
  const options = ["--host", "127.0.0.1", "--port", String(port), "--db-path", databasePath];
  const { file, argv } = engineCommand(binary, options, process);
  const child = spawn(file, argv, { stdio: ["pipe", "ignore", "pipe"] });
  const origin = `http://127.0.0.1:${port}`;
  const failure = await waitUntilListening(child);
  // Another process took the port first.
  if (failure?.includes("already in use") && launches > 1) return launch(binary, databasePath, launches - 1);
  if (failure !== undefined) throw new StartRefused(`the DynamoDB engine did not start: ${failure}`);
  if (databasePath !== IN_MEMORY) createStreamIndex(databasePath);
  return { name: "dynoxide", origin, stop: () => stopProcess(child) };
}

/** Without the index each write slows down with the number of stream records, by 0.5 ms per thousand records. */
function createStreamIndex(databasePath: string): void {
  const database = new DatabaseSync(databasePath, { timeout: START_TIMEOUT_MS });
  database.exec(CREATE_STREAM_INDEX);
  database.close();
}

/**
 * Waits until the engine logs that it listens. An answer on the port would not prove that it comes from this process.
 * @returns the error message of the engine, or undefined when it listens.
 */
async function waitUntilListening(child: ChildProcess): Promise<string | undefined> {
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said = (said + chunk).slice(-500);
  });
  const failure = new Promise<never>((_, reject) => child.once("error", reject));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    if (said.includes("listening on")) return undefined;
    await Promise.race([sleep(20), failure]);
  }
  child.stdin?.end();
  return said.trim().split("\n").at(-1) || "no answer";
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  // On Windows no shell ends the engine when its standard input closes.
  if (process.platform === "win32") child.kill();
  await ended;
}

/** Creates the tables of the templates that do not exist in the engine yet, and the indexes that a table lacks. */
export async function createTables(origin: string, assembly: ResolvedAssembly): Promise<void> {
  const client = createEngineClient(origin, assembly.region);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const { type, name, properties } of assembly.resources) {
    if (type !== "AWS::DynamoDB::Table") continue;
    const input = toCreateTableInput(name, properties);
    if (TableNames.includes(name)) await addIndexes(client, input);
    else await client.send(new CreateTableCommand(input));
  }
  client.destroy();
}

/** Adds the indexes that a table of an earlier version lacks. The engine fills each with the items of the table. */
async function addIndexes(client: DynamoDBClient, input: CreateTableCommandInput): Promise<void> {
  const { TableName, AttributeDefinitions, GlobalSecondaryIndexes = [] } = input;
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const known = new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of GlobalSecondaryIndexes) {
    if (known.has(index.IndexName)) continue;
    const GlobalSecondaryIndexUpdates = [{ Create: index }];
    await client.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
  }
}

/** Converts the properties of a table in a template to the input of CreateTable. */
function toCreateTableInput(name: string, properties: Readonly<Record<string, unknown>>): CreateTableCommandInput {
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
