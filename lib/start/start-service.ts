import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { resourceVariable } from "../contract/access.ts";
import { users } from "../contract/resources.ts";
import type { DataDirectory } from "../local/data-directory.ts";
import { LocalService, type LocalServiceOptions } from "../local/local-service.ts";
import { StartRefused } from "../local/start-refused.ts";
import { type FirstOrgOptions, planFirstOrg, writeFirstOrg } from "../services/management/bootstrap.ts";
import { Table } from "../store/table.ts";
import { type LocalIdentity, readIdentity, writeIdentity } from "./identity-file.ts";
import { moveInboxEndpoint } from "./move-inbox-endpoint.ts";
import { createInboxEndpoint, createLabAccounts, type ServiceClient } from "./seed-data.ts";

/** A running service with its ids and keys. */
export interface StartedService {
  readonly service: LocalService;
  readonly identity: LocalIdentity;
}

/**
 * Starts the service on a data directory. Creates the first organisation, its team, their keys and the webhook endpoint
 * of the inbox if they do not exist; an interrupted start is completed. A later start on another port moves the endpoint.
 * @throws StartRefused with one line for a person when the service cannot start.
 */
export async function startService(
  data: DataDirectory,
  options: Omit<LocalServiceOptions, "data" | "inboxSecret">,
): Promise<StartedService> {
  const planned = readIdentity(data) ?? newIdentity();
  // What an earlier start sealed under a key is not readable without it. A new key would hide that until a read fails.
  const isStored = planned.webhook_id !== undefined && existsSync(data.file("dynamodb.sqlite"));
  if (isStored && !existsSync(data.file("kms.key")))
    throw new StartRefused(`${data.file("kms.key")} is missing; put it back, or delete ${data.path} to start over`);
  writeIdentity(data, planned);
  const service = await LocalService.start({ ...options, data, inboxSecret: planned.webhook_secret });
  const { baseUrl, managementUrl } = service;
  const client = { baseUrl, managementUrl, identity: planned };
  const webhook_id = planned.webhook_id ?? (await completeFirstTeam(service, client));
  await moveInboxEndpoint(client, webhook_id);
  const identity = { ...planned, webhook_id };
  writeIdentity(data, identity);
  return { service, identity };
}

/** Completes the first organisation and its team. @returns the id of the inbox's endpoint. */
async function completeFirstTeam(service: LocalService, client: ServiceClient): Promise<string> {
  await seedFirstOrg(service, client.identity);
  await createLabAccounts(client);
  return createInboxEndpoint(client);
}

/** Draws ids and keys for a first start. */
export function newIdentity(): LocalIdentity {
  const webhook_secret = `whsec_${randomBytes(32).toString("base64")}`;
  return { ...planFirstOrg(firstOrgOptions("")), webhook_secret, is_seeded: false };
}

function firstOrgOptions(now: string): FirstOrgOptions {
  const ids = { uuid: () => randomUUID(), bytes: (length: number) => randomBytes(length) };
  return { name: "First organization", environment: "sandbox", region: "us", now, ...ids };
}

/** Writes the first organisation directly to the database, as an operator does: no function has a grant for it. */
async function seedFirstOrg({ cloud }: LocalService, planned: LocalIdentity): Promise<void> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: cloud.dynamodb.origin, region: cloud.assembly.region, credentials });
  const documents = DynamoDBDocumentClient.from(client);
  const directory = new Table(documents, process.env[resourceVariable(users)] ?? "");
  await writeFirstOrg(directory, planned, firstOrgOptions(new Date(cloud.clock.now()).toISOString()));
  client.destroy();
}
