import type {
  BucketResource,
  EntityResource,
  KeyResource,
  QueueResource,
  SecretResource,
  TableResource,
} from "./resource-kinds.ts";
import type { bus, deletionMachine } from "./resources.ts";

/** The DynamoDB actions that a grant may name. Each is exactly one IAM action. */
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
 * Permission for one IAM action on one resource. `use` names the dependency that the function receives for the grant. A
 * function cannot reach a store that it does not declare.
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
      /** Purposes for which the function wraps or unwraps data keys; a subset of the key's purposes. */
      readonly purposes: readonly string[];
    }
  | { readonly use: Use; readonly action: "secretsmanager:GetSecretValue"; readonly on: SecretResource };

const onEntity =
  (action: TableAction) =>
  <S extends string>(on: EntityResource<S>): Grant<S> => ({ use: on.store, action, on });

/** Reads one item by its key. */
export const get = onEntity("dynamodb:GetItem");
/** Reads up to 100 items by their keys. */
export const getMany = onEntity("dynamodb:BatchGetItem");
/** Writes a whole item, usually under a condition. */
export const put = onEntity("dynamodb:PutItem");
/** Inserts many items, each only if its key is new. */
export const insert = onEntity("dynamodb:PartiQLInsert");
/** Updates attributes of an item. */
export const update = onEntity("dynamodb:UpdateItem");
/** Deletes an item. */
export const remove = onEntity("dynamodb:DeleteItem");
/** Writes or deletes many items without conditions. */
export const writeMany = onEntity("dynamodb:BatchWriteItem");
/** Makes a transaction depend on an item that the transaction does not change. */
export const check = onEntity("dynamodb:ConditionCheckItem");

/** Reads items of one partition of the table, or of the named index. */
export const query = <S extends string>(on: EntityResource<S>, index?: string): Grant<S> => ({
  use: on.store,
  action: "dynamodb:Query",
  on,
  ...(index === undefined ? {} : { index }),
});

/** Deletes whole partitions: queries their keys, then deletes the items in batches. */
export const erase = <S extends string>(on: EntityResource<S>) => [query(on), writeMany(on)] as const;

/** Sends messages to a queue. */
export const send = <N extends string>(on: QueueResource<N>): Grant<N> => ({
  use: on.name,
  action: "sqs:SendMessage",
  on,
});

/** Publishes event references on the bus. */
export const publish = (on: typeof bus): Grant<"bus"> => ({ use: "bus", action: "events:PutEvents", on });

const onBucket =
  (action: "s3:PutObject" | "s3:GetObject" | "s3:DeleteObject" | "s3:ListBucket") =>
  <N extends string>(on: BucketResource<N>): Grant<N> => ({ use: on.name, action, on });

/** Writes an object to a bucket. */
export const keep = onBucket("s3:PutObject");
/** Reads an object. */
export const load = onBucket("s3:GetObject");
/** Deletes an object. */
export const drop = onBucket("s3:DeleteObject");
/** Lists objects by key prefix. */
export const list = onBucket("s3:ListBucket");

/** Starts an execution of the deletion state machine, or stops one after an undo. */
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

/** Encrypts new secrets. Without `purposes`, the grant covers all purposes of the key. */
export const seal = onKey("kms:GenerateDataKey");
/** Decrypts secrets. Without `purposes`, the grant covers all purposes of the key. */
export const open = onKey("kms:Decrypt");

/** Reads the value of a secret that the operator sets after deployment. */
export const reveal = <N extends string>(on: SecretResource<N>): Grant<N> => ({
  use: on.name,
  action: "secretsmanager:GetSecretValue",
  on,
});

/** Returns the environment variable that holds the location of a granted resource. */
export function environmentName(on: Grant["on"]): string {
  const resource: { kind: string; name: string } = on.kind === "entity" ? on.table : on;
  return `${resource.kind}_${resource.name}`.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
}

/** Returns the table of an entity grant; undefined for a grant on another kind of resource. */
export function tableOf(grant: Grant): TableResource | undefined {
  return grant.on.kind === "entity" ? grant.on.table : undefined;
}
