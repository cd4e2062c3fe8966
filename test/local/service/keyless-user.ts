import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { teamKeys, userKeys } from "../../../lib/contract/resources.ts";
import type { TestService } from "../../support/service.ts";
import { resource } from "./raw-keys.ts";
import { engineClient } from "./stored-items.ts";

/** Deletes the key of a user, and with `ofTeam` the key of the team, as in a version before user keys. */
export async function takeKeys(service: TestService, teamId: string, userId: string, { ofTeam = false } = {}) {
  const client = engineClient(service);
  const TableName = resource(service, "AWS::DynamoDB::Table", "TableuserKeys").name;
  const partitions = [
    `${userKeys.keyPrefix}${teamId}#${userId}`,
    ...(ofTeam ? [`${teamKeys.keyPrefix}${teamId}`] : []),
  ];
  for (const pk of partitions) await client.send(new DeleteCommand({ TableName, Key: { pk, sk: "key" } }));
  client.destroy();
}
