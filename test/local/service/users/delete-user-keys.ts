import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { teamKeys, userKeys } from "../../../../lib/contract/resources.ts";
import type { TestService } from "../../../support/service.ts";
import { createEngineClient } from "../support/stored-items.ts";
import { findResource } from "./open-stored-values.ts";

/** Deletes the key of a user, and with `ofTeam` the key of the team, as in a version before user keys. */
export async function deleteUserKeys(service: TestService, teamId: string, userId: string, { ofTeam = false } = {}) {
  const client = createEngineClient(service);
  const TableName = findResource(service, "AWS::DynamoDB::Table", "TableuserKeys").name;
  const partitions = [
    `${userKeys.keyPrefix}${teamId}#${userId}`,
    ...(ofTeam ? [`${teamKeys.keyPrefix}${teamId}`] : []),
  ];
  for (const pk of partitions) await client.send(new DeleteCommand({ TableName, Key: { pk, sk: "key" } }));
  client.destroy();
}
