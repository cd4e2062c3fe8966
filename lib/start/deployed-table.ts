import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableResource } from "../contract/resource-kinds.ts";
import { Table } from "../store/table.ts";
import { AdminRefused } from "./admin-refused.ts";

/**
 * A table of a deployed service, reached with the caller's own AWS credentials: whoever may write there may
 * do anything to the deployment, so it needs no route and no password.
 * @param stack the name of the deployment, as in cdk.json.
 * @throws AdminRefused when there is no such deployment, or AWS refuses.
 */
export async function deployedTable(stack: string, table: TableResource): Promise<Table> {
  const client = new DynamoDBClient({});
  const begin = `${stack}-Data-Table${table.name}`;
  const names = await explained(() => tableNames(client));
  if (!names.some((name) => name.startsWith(begin))) {
    const region = await client.config.region();
    throw new AdminRefused(`no stack ${stack}-Data is deployed in ${region} for these credentials (give --stack)`);
  }
  return new Table(DynamoDBDocumentClient.from(client), theOnly(begin, names));
}

/**
 * The one name that begins so: CloudFormation names things after their stack and logical id, which begins with the id of
 * the construct. @throws AdminRefused when there is none, or several.
 */
export function theOnly(begin: string, names: readonly string[]): string {
  const found = names.filter((one) => one.startsWith(begin));
  const [name] = found;
  if (name === undefined) throw new AdminRefused(`nothing is named like ${begin}`);
  if (found.length > 1) throw new AdminRefused(`several are named like ${begin}: ${found.join(", ")}`);
  return name;
}

/** The names of all tables of the account and region. */
export async function tableNames(client: DynamoDBClient): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) found.push(...TableNames);
  return found;
}

/** What AWS, or the way there, refuses in words that say what to do. @throws AdminRefused for what it knows. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error ? (explanation(error) ?? error) : error;
  }
}

function explanation({ name, message }: Error): AdminRefused | undefined {
  const refused = (text: string) => new AdminRefused(text);
  if (/^Region (is missing|not accepted)/.test(message))
    return refused("no AWS region is set (AWS_REGION or a profile)");
  if (name === "CredentialsProviderError") return refused("no AWS credentials were found (AWS_PROFILE, aws sso login)");
  if (/^(UnrecognizedClient|InvalidSignature|ExpiredToken|InvalidClientTokenId)/.test(name)) {
    return refused(`AWS does not accept these credentials: ${message}`);
  }
  if (name.startsWith("AccessDenied")) return refused(`these credentials have not the right: ${message}`);
  return undefined;
}
