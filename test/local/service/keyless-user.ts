import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { teamKeys, userKeys } from "../../../lib/contract/resources.ts";
import type { TestService } from "../../support/service.ts";
import { resource } from "./raw-keys.ts";
import { engineClient } from "./stored-items.ts";

/** Makes a user one of a version before the keys of users: neither the user nor, if it is told, the team has a key. */
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
