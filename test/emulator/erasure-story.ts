import { deepEqual, equal, ok } from "node:assert/strict";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { callAws } from "./command.ts";
import { ingest } from "./data-story.ts";
import type { Deployment } from "./deployment.ts";
import { type Steps, until } from "./steps.ts";

const client = new DynamoDBClient({});
const documents = DynamoDBDocumentClient.from(client);

/** Names of the deployment's tables, as the account has them. */
async function listTables(): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) found.push(...TableNames);
  return found.filter((name) => name.startsWith("Tributary-"));
}

/** A user is deleted and comes back, is deleted again and erased, with a certificate. */
export async function runErasureStory(steps: Steps, deployment: Deployment): Promise<void> {
  const { user_id: userId } = await deployment.call("POST", "/v2/user", { client_user_id: "leaves" });
  const timestamp = new Date(Date.now() - 3_600_000).toISOString();
  await ingest(deployment, userId, { heartrate: [{ timestamp, value: 61 }] });
  await steps.run("a deleted user is gone, and an undo brings the user back", async () => {
    await deployment.call("DELETE", `/v2/user/${userId}`);
    equal((await deployment.request("GET", `/v2/user/${userId}`)).status, 404);
    await deployment.call("POST", "/v2/user/undo_delete", { user_id: userId });
    equal((await deployment.call("GET", `/v2/user/${userId}`)).user_id, userId);
  });
  await steps.run("the undo ended the execution of the state machine", async () => {
    deepEqual(await listExecutions("RUNNING"), []);
    equal((await listExecutions("ABORTED")).length, 1);
  });
  await steps.run("the state machine erases the user after the grace period, with a certificate", async () => {
    await deployment.call("DELETE", `/v2/user/${userId}`);
    await endGracePeriod(deployment.teamId, userId);
    const certificate = await until("the certificate", async () => {
      const { status, body } = await deployment.request("GET", `/v2/user/erasure/${userId}`);
      return status === 200 ? body : undefined;
    });
    equal(certificate.scan.found, 0);
    ok(certificate.stores.chunks > 0, JSON.stringify(certificate.stores));
    await until("the execution succeeds", async () => (await listExecutions("SUCCEEDED"))[0]);
  });
  await steps.run("no table names the erased user", async () => {
    deepEqual(await findItems(userId), []);
  });
}

/** The emulator's clock cannot move, so the end of the grace period moves. The state machine waits a scaled time. */
async function endGracePeriod(teamId: string, userId: string): Promise<void> {
  const [TableName] = (await listTables()).filter((name) => name.startsWith("Tributary-Data-Tabledirectory"));
  await documents.send(
    new UpdateCommand({
      TableName,
      Key: { pk: `user#${teamId}#${userId}`, sk: "user" },
      ConditionExpression: "lifecycle = :pending",
      UpdateExpression: "SET erase_at = :now",
      ExpressionAttributeValues: { ":pending": "pending_erasure", ":now": new Date().toISOString() },
    }),
  );
}

async function listExecutions(statusFilter: string): Promise<string[]> {
  const { stateMachines } = await callAws("stepfunctions", "ListStateMachines");
  const input = { stateMachineArn: stateMachines[0].stateMachineArn, statusFilter };
  const { executions } = await callAws("stepfunctions", "ListExecutions", input);
  return executions.map(({ name }: { name: string }) => name);
}

/** Keys of all items of all tables that contain a text, without expired ones. */
async function findItems(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const TableName of await listTables()) {
    for await (const { Items = [] } of paginateScan({ client: documents }, { TableName })) {
      const named = Items.filter((item) => JSON.stringify(item).includes(text));
      found.push(...named.map(({ pk, sk }) => `${TableName} ${pk} ${sk}`));
    }
  }
  return found;
}
