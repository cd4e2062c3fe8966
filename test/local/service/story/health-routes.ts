import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { expect } from "vitest";
import { connectionPolls, deliveredData } from "../../../../lib/contract/resources.ts";
import type { TestService } from "../../../support/service.ts";
import { createEngineClient } from "../support/stored-items.ts";
import { findResource } from "../users/open-stored-values.ts";

/** Longer ago than a push may take. */
const LONG_AGO = "2026-01-01T00:00:00.000Z";

/** Makes the next pull of a connection to Oura find a night whose push is overdue. Waiting would take the story days. */
export async function losePushes(service: TestService, userId: string): Promise<void> {
  const client = createEngineClient(service);
  const owner = `${service.identity.team_id}#${userId}`;
  const TableName = findResource(service, "AWS::DynamoDB::Table", "Tabledirectory").name;
  const newest = new Date(service.cloud.clock.now()).toISOString();
  await client.send(
    new UpdateCommand({
      TableName,
      Key: { pk: `${deliveredData.keyPrefix}${owner}`, sk: "oura#all" },
      UpdateExpression: "SET resources.sleep.pushed_newest = :old",
      ExpressionAttributeValues: { ":old": LONG_AGO },
    }),
  );
  await client.send(
    new UpdateCommand({
      TableName,
      Key: { pk: `${connectionPolls.keyPrefix}${owner}`, sk: "of#oura" },
      UpdateExpression: "SET unpushed = :unpushed",
      ExpressionAttributeValues: { ":unpushed": { sleep: { at: LONG_AGO, newest } } },
    }),
  );
  client.destroy();
}

/** Synchronises a phone once. It is silent from then on, and stale when the story has waited for the erasure. */
export async function leavePhoneSilent(service: TestService): Promise<void> {
  const user = await service.createUser("whose phone falls silent");
  const { sign_in_token } = (await service.call("POST", `/v2/user/${user}/sign_in_token`)).body;
  const { body: session } = await service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
  const headers = { authorization: `Bearer ${session.access_token}` };
  const part = { provider: "health_connect", source_type: "phone", stage: "daily", sync_id: "only", part: 0 };
  const resources = { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] };
  const body = { ...part, done: true, resources };
  expect((await service.call("POST", "/v2/sdk/sync", { key: null, headers, body })).status).toBe(202);
  await service.settle();
}
