import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { auditTable } from "../contract/resources.ts";
import { parseJson } from "../domain/shared/json.ts";
import { DataDirectory } from "../local/data-directory.ts";
import { startDynamodb } from "../local/engines/dynamodb.ts";
import { readClockOffset } from "../local/stored-clock.ts";
import { SEAL_LOG_MESSAGE } from "../services/audit/seal-due-hours.ts";
import { type Anchor, type ChainReport, verifyChains } from "../services/audit/verify-chains.ts";
import { Table } from "../store/table.ts";
import { AdminRefused } from "./admin-refused.ts";
import { explainAwsErrors, findUniqueName, listTableNames } from "./deployed-table.ts";

/** Result of a verification. `isWhole` is true when every chain is intact. */
export interface AuditVerification {
  readonly isWhole: boolean;
  readonly chains: readonly ChainReport[];
}

const anchorLine = z.object({
  message: z.literal(SEAL_LOG_MESSAGE),
  chain: z.string(),
  n: z.int(),
  sha256: z.string(),
});

/** Parses the anchors in a log: lines with a JSON object of the service, with any prefix. */
export function parseAnchors(text: string): Anchor[] {
  const lines = text.split("\n").filter((line) => line.includes(SEAL_LOG_MESSAGE));
  return lines.flatMap((line) => {
    const parsed = anchorLine.safeParse(parseJson(line.slice(line.indexOf("{"))));
    return parsed.success ? parsed.data : [];
  });
}

/** Reads the anchors in a file of log lines. @throws AdminRefused when the file is not readable. */
export function readAnchorFile(file: string): Anchor[] {
  try {
    return parseAnchors(readFileSync(file, "utf8"));
  } catch {
    throw new AdminRefused(`${file} cannot be read`);
  }
}

/** Verifies the audit and access logs in a table. */
export async function verifyTable(
  documents: DynamoDBDocumentClient,
  name: string,
  anchors: readonly Anchor[],
  now: number,
): Promise<AuditVerification> {
  const chains = await Array.fromAsync(verifyChains(new Table(documents, name), { now, anchors }));
  return { isWhole: chains.every(({ broken }) => broken === undefined), chains };
}

/**
 * Verifies the logs of a deployed service with the operator's AWS credentials.
 * @param stack name of the deployment, as in cdk.json.
 * @throws AdminRefused when the deployment does not exist or AWS denies access.
 */
export function verifyDeployed(stack: string, anchors: readonly Anchor[]): Promise<AuditVerification> {
  return explainAwsErrors(async () => {
    const client = new DynamoDBClient({});
    const name = findUniqueName(`${stack}-Data-Table${auditTable.name}`, await listTableNames(client));
    return verifyTable(DynamoDBDocumentClient.from(client), name, anchors, Date.now());
  });
}

/**
 * Verifies the logs of a stopped local service. The anchors come from its own function log, in addition to `given`.
 * @throws StartRefused while the service runs.
 * @throws AdminRefused when the directory is not the data directory of a service.
 */
export async function verifyLocal(directory: string, given: readonly Anchor[]): Promise<AuditVerification> {
  const log = join(directory, "functions.log");
  if (!existsSync(log)) throw new AdminRefused(`${directory} is not the data directory of a service`);
  const data = new DataDirectory(directory);
  const engine = await startDynamodb(data.file("dynamodb.sqlite"));
  try {
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    const client = new DynamoDBClient({ endpoint: engine.origin, region: "us-east-1", credentials });
    const anchors = [...given, ...readAnchorFile(log)];
    const name = (await listTableNames(client)).find((one) => one.includes(`-Data-Table${auditTable.name}`));
    if (name === undefined) throw new AdminRefused(`${directory} has no audit table`);
    return await verifyTable(DynamoDBDocumentClient.from(client), name, anchors, Date.now() + readClockOffset(data));
  } finally {
    await engine.stop();
    data.close();
  }
}
