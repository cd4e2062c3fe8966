import type {
  BucketResource,
  EntityResource,
  KeyResource,
  QueueResource,
  SecretResource,
  TableResource,
} from "./resource-kinds.ts";
import type { bus, deletionMachine } from "./resources.ts";

/** The DynamoDB actions a grant may name; each is exactly one IAM action. */
export type TableAction =
  | "dynamodb:GetItem"
  | "dynamodb:BatchGetItem"
  | "dynamodb:Query"
  | "dynamodb:PutItem"
  | "dynamodb:UpdateItem"
  | "dynamodb:DeleteItem"
  | "dynamodb:BatchWriteItem"
  | "dynamodb:ConditionCheckItem"
  | "dynamodb:PartiQLInsert";

/**
 * One thing a function may do: one action on one resource. `use` is the name under which the function receives what
 * the grant is for, so a function cannot even name a store that it did not declare.
 */
export type Grant<Use extends string = string> =
  | { readonly use: Use; readonly action: TableAction; readonly on: EntityResource; readonly index?: string }
  | { readonly use: Use; readonly action: "sqs:SendMessage"; readonly on: QueueResource }
  | { readonly use: Use; readonly action: "events:PutEvents"; readonly on: typeof bus }
  | {
      readonly use: Use;
      readonly action: "s3:PutObject" | "s3:GetObject" | "s3:DeleteObject" | "s3:ListBucket";
      readonly on: BucketResource;
    }
  | {
      readonly use: Use;
      readonly action: "states:StartExecution" | "states:StopExecution";
      readonly on: typeof deletionMachine;
    }
  | {
      readonly use: Use;
      readonly action: "kms:GenerateDataKey" | "kms:Decrypt";
      readonly on: KeyResource;
      /** What the function wraps or unwraps, of all that the key serves. */
      readonly purposes: readonly string[];
    }
  | { readonly use: Use; readonly action: "secretsmanager:GetSecretValue"; readonly on: SecretResource };

const onEntity =
  (action: TableAction) =>
  <S extends string>(on: EntityResource<S>): Grant<S> => ({ use: on.store, action, on });

/** Read one item by its key. */
export const get = onEntity("dynamodb:GetItem");
/** Read many items by their keys. */
export const getMany = onEntity("dynamodb:BatchGetItem");
/** Write a whole item, usually under a condition. */
export const put = onEntity("dynamodb:PutItem");
/** Write many items that are the first of their keys. */
export const insert = onEntity("dynamodb:PartiQLInsert");
/** Change attributes of an item. */
export const update = onEntity("dynamodb:UpdateItem");
/** Delete an item. */
export const remove = onEntity("dynamodb:DeleteItem");
/** Write or delete many items without conditions. */
export const writeMany = onEntity("dynamodb:BatchWriteItem");
/** Make a transaction depend on an item that it does not change. */
export const check = onEntity("dynamodb:ConditionCheckItem");

/** Read the items of one partition, of the table or of the named index. */
export const query = <S extends string>(on: EntityResource<S>, index?: string): Grant<S> => ({
  use: on.store,
  action: "dynamodb:Query",
  on,
  ...(index === undefined ? {} : { index }),
});

/** Erase the items of whole partitions: find their keys, then delete many at a time. */
export const erase = <S extends string>(on: EntityResource<S>) => [query(on), writeMany(on)] as const;

/** Send messages to a queue. */
export const send = <N extends string>(on: QueueResource<N>): Grant<N> => ({
  use: on.name,
  action: "sqs:SendMessage",
  on,
});

/** Publish the ids of events on the bus. */
export const publish = (on: typeof bus): Grant<"bus"> => ({ use: "bus", action: "events:PutEvents", on });

const onBucket =
  (action: "s3:PutObject" | "s3:GetObject" | "s3:DeleteObject" | "s3:ListBucket") =>
  <N extends string>(on: BucketResource<N>): Grant<N> => ({ use: on.name, action, on });

/** Keep an object in a bucket. */
export const keep = onBucket("s3:PutObject");
/** Read an object. */
export const load = onBucket("s3:GetObject");
/** Delete an object. */
export const drop = onBucket("s3:DeleteObject");
/** Find objects by what their names begin with. */
export const list = onBucket("s3:ListBucket");

/** Start the deletion machine, or stop a deletion that was undone. */
export const start = (on: typeof deletionMachine): Grant<"deletions"> => ({
  use: "deletions",
  action: "states:StartExecution",
  on,
});
export const stop = (on: typeof deletionMachine): Grant<"deletions"> => ({
  use: "deletions",
  action: "states:StopExecution",
  on,
});

const onKey =
  (action: "kms:GenerateDataKey" | "kms:Decrypt") =>
  <U extends string, P extends string>(on: KeyResource<U, P>, ...purposes: readonly P[]): Grant<U> => ({
    use: on.use,
    action,
    on,
    purposes: purposes.length === 0 ? on.purposes : purposes,
  });

/** Seal new secrets; of all purposes of the key unless some are named. */
export const seal = onKey("kms:GenerateDataKey");
/** Open sealed secrets likewise. */
export const open = onKey("kms:Decrypt");

/** Read the value of a secret that whoever deploys has set. */
export const reveal = <N extends string>(on: SecretResource<N>): Grant<N> => ({
  use: on.name,
  action: "secretsmanager:GetSecretValue",
  on,
});

/** The environment variable that tells a function where a granted resource is. */
export function environmentName(on: Grant["on"]): string {
  const resource: { kind: string; name: string } = on.kind === "entity" ? on.table : on;
  return `${resource.kind}_${resource.name}`.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
}

/** The table of a table grant, or undefined for a grant on something else. */
export function tableOf(grant: Grant): TableResource | undefined {
  return grant.on.kind === "entity" ? grant.on.table : undefined;
}
