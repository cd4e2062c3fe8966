import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableResource } from "../contract/resource-kinds.ts";
import { Table } from "../store/table.ts";
import { AdminRefused } from "./admin-refused.ts";

/**
 * Opens a table of a deployed service with the operator's AWS credentials. Write access to the tables is full control
 * of the deployment, so this needs no route and no password.
 * @param stack name of the deployment, as in cdk.json.
 * @throws AdminRefused when the deployment does not exist or AWS denies access.
 */
export async function openDeployedTable(stack: string, table: TableResource): Promise<Table> {
  const client = new DynamoDBClient({});
  const begin = `${stack}-Data-Table${table.name}`;
  const names = await explainAwsErrors(() => listTableNames(client));
  if (!names.some((name) => name.startsWith(begin))) {
    const region = await client.config.region();
    throw new AdminRefused(`no stack ${stack}-Data is deployed in ${region} for these credentials (set --stack)`);
  }
  return new Table(DynamoDBDocumentClient.from(client), findUniqueName(begin, names));
}

/**
 * Finds the only name with a prefix. CloudFormation derives names from the stack and the logical id, which starts with
 * the construct id. @throws AdminRefused when no name or more than one name has the prefix.
 */
export function findUniqueName(begin: string, names: readonly string[]): string {
  const found = names.filter((one) => one.startsWith(begin));
  const [name] = found;
  if (name === undefined) throw new AdminRefused(`no resource name starts with ${begin}`);
  if (found.length > 1) throw new AdminRefused(`several resource names start with ${begin}: ${found.join(", ")}`);
  return name;
}

/** Lists the names of all tables in the account and region. */
export async function listTableNames(client: DynamoDBClient): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) found.push(...TableNames);
  return found;
}

/** Runs `work` and converts known AWS errors to instructions. @throws AdminRefused for a known error. */
export async function explainAwsErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? (toAdminRefused(error) ?? error) : error;
  }
}

function toAdminRefused({ name, message }: Error): AdminRefused | undefined {
  const refused = (text: string) => new AdminRefused(text);
  if (/^Region (is missing|not accepted)/.test(message))
    return refused("no AWS region is set (AWS_REGION or a profile)");
  if (name === "CredentialsProviderError") return refused("no AWS credentials were found (AWS_PROFILE, aws sso login)");
  if (/^(UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId)/.test(name)) {
    return refused(`AWS rejects these credentials: ${message}`);
  }
  if (name.startsWith("AccessDenied")) return refused(`these credentials lack a permission: ${message}`);
  return undefined;
}
