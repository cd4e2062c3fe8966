import * as z from "zod";
import type { ResolvedAssembly, ResolvedResource } from "../template/read-assembly.ts";

/** The key attributes of a table that policies refer to. */
export interface TableKeySchema {
  readonly arn: string;
  readonly partitionKey: string;
  /** Partition key of each index, by index name. */
  readonly indexes: ReadonlyMap<string, string>;
}

/** Maps the names in requests to the resources of the templates. */
export interface ResourceIndex {
  readonly region: string;
  readonly account: string;
  /** By table name. */
  readonly tables: ReadonlyMap<string, TableKeySchema>;
  /** ARN of a KMS key, by each of its identifiers: id, ARN, alias, alias ARN. */
  readonly keyArns: ReadonlyMap<string, string>;
  /** ARN of a secret, by name. */
  readonly secretArns: ReadonlyMap<string, string>;
}

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));
const index = z.object({ IndexName: z.string(), KeySchema: keySchema });

const table = z.object({
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(index).default([]),
  LocalSecondaryIndexes: z.array(index).default([]),
});

const alias = z.object({ AliasName: z.string(), TargetKeyId: z.string() });

/** Creates the index of a synthesized app. */
export function createResourceIndex(assembly: ResolvedAssembly): ResourceIndex {
  const { region, account, resources } = assembly;
  const tables = resources.filter(({ type }) => /^AWS::DynamoDB::(Global)?Table$/.test(type));
  return {
    region,
    account,
    tables: new Map(tables.map((resource) => [resource.name, tableKeys(resource)])),
    keyArns: indexKeyArns(assembly),
    secretArns: new Map(
      resources.flatMap(({ type, name, ref }) => (type === "AWS::SecretsManager::Secret" && ref ? [[name, ref]] : [])),
    ),
  };
}

function tableKeys({ arn = "", properties }: ResolvedResource): TableKeySchema {
  const { KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes } = table.parse(properties);
  const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes];
  return {
    arn,
    partitionKey: partitionKeyOf(KeySchema),
    indexes: new Map(indexes.map((one) => [one.IndexName, partitionKeyOf(one.KeySchema)])),
  };
}

function partitionKeyOf(schema: z.output<typeof keySchema>): string {
  const key = schema.find(({ KeyType }) => KeyType === "HASH");
  if (!key) throw new Error("a key schema has no partition key");
  return key.AttributeName;
}

function indexKeyArns({ region, account, resources }: ResolvedAssembly): Map<string, string> {
  const arns = new Map<string, string>();
  for (const { type, ref, arn } of resources) {
    if (type === "AWS::KMS::Key" && ref !== undefined && arn !== undefined) arns.set(ref, arn).set(arn, arn);
  }
  for (const { type, properties } of resources) {
    if (type !== "AWS::KMS::Alias") continue;
    const { AliasName, TargetKeyId } = alias.parse(properties);
    const arn = arns.get(TargetKeyId);
    if (arn !== undefined) arns.set(AliasName, arn).set(`arn:aws:kms:${region}:${account}:${AliasName}`, arn);
  }
  return arns;
}
