import type { BucketResource, EntityResource, KeyResource, QueueResource, SecretResource } from "./resource-kinds.ts";
import type { bus, deletionStateMachine } from "./resources.ts";

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
  | {
      readonly dependency: Use;
      readonly action: TableAction;
      readonly resource: EntityResource;
      readonly index?: string;
    }
  | { readonly dependency: Use; readonly action: "sqs:SendMessage"; readonly resource: QueueResource }
  | { readonly dependency: Use; readonly action: "events:PutEvents"; readonly resource: typeof bus }
  | {
      readonly dependency: Use;
      readonly action: "s3:PutObject" | "s3:GetObject" | "s3:DeleteObject" | "s3:ListBucket";
      readonly resource: BucketResource;
    }
  | {
      readonly dependency: Use;
      readonly action: "states:StartExecution" | "states:StopExecution";
      readonly resource: typeof deletionStateMachine;
    }
  | {
      readonly dependency: Use;
      readonly action: "kms:GenerateDataKey" | "kms:Decrypt";
      readonly resource: KeyResource;
      /** Purposes for which the function wraps or unwraps data keys; a subset of the key's purposes. */
      readonly purposes: readonly string[];
    }
  | { readonly dependency: Use; readonly action: "secretsmanager:GetSecretValue"; readonly resource: SecretResource };

const onEntity =
  (action: TableAction) =>
  <S extends string>(on: EntityResource<S>): Grant<S> => ({ dependency: on.store, action, resource: on });

/** Reads one item by its key. */
export const getItem = onEntity("dynamodb:GetItem");
/** Reads up to 100 items by their keys. */
export const batchGetItem = onEntity("dynamodb:BatchGetItem");
/** Writes a whole item, usually under a condition. */
export const putItem = onEntity("dynamodb:PutItem");
/** Inserts many items, each only if its key is new. */
export const partiqlInsert = onEntity("dynamodb:PartiQLInsert");
/** Updates attributes of an item. */
export const updateItem = onEntity("dynamodb:UpdateItem");
/** Deletes an item. */
export const deleteItem = onEntity("dynamodb:DeleteItem");
/** Writes or deletes many items without conditions. */
const batchWriteItem = onEntity("dynamodb:BatchWriteItem");
/** Makes a transaction depend on an item that the transaction does not change. */
export const conditionCheckItem = onEntity("dynamodb:ConditionCheckItem");

/** Reads items of one partition of the table, or of the named index. */
export const queryItems = <S extends string>(on: EntityResource<S>, index?: string): Grant<S> => ({
  dependency: on.store,
  action: "dynamodb:Query",
  resource: on,
  ...(index === undefined ? {} : { index }),
});

/** Deletes whole partitions: queries their keys, then deletes the items in batches. */
export const eraseItems = <S extends string>(on: EntityResource<S>) => [queryItems(on), batchWriteItem(on)] as const;

/** Sends messages to a queue. */
export const sendMessage = <N extends string>(on: QueueResource<N>): Grant<N> => ({
  dependency: on.name,
  action: "sqs:SendMessage",
  resource: on,
});

/** Publishes event references on the bus. */
export const putEvents = (on: typeof bus): Grant<"bus"> => ({
  dependency: "bus",
  action: "events:PutEvents",
  resource: on,
});

const onBucket =
  (action: "s3:PutObject" | "s3:GetObject" | "s3:DeleteObject" | "s3:ListBucket") =>
  <N extends string>(on: BucketResource<N>): Grant<N> => ({ dependency: on.name, action, resource: on });

/** Writes an object to a bucket. */
export const putObject = onBucket("s3:PutObject");
/** Reads an object. */
export const getObject = onBucket("s3:GetObject");
/** Deletes an object. */
export const deleteObject = onBucket("s3:DeleteObject");
/** Lists objects by key prefix. */
export const listBucket = onBucket("s3:ListBucket");

/** Starts an execution of the deletion state machine, or stops one after an undo. */
export const startExecution = (on: typeof deletionStateMachine): Grant<"deletions"> => ({
  dependency: "deletions",
  action: "states:StartExecution",
  resource: on,
});
export const stopExecution = (on: typeof deletionStateMachine): Grant<"deletions"> => ({
  dependency: "deletions",
  action: "states:StopExecution",
  resource: on,
});

const onKey =
  (action: "kms:GenerateDataKey" | "kms:Decrypt") =>
  <U extends string, P extends string>(on: KeyResource<U, P>, ...purposes: readonly P[]): Grant<U> => ({
    dependency: on.dependency,
    action,
    resource: on,
    purposes: purposes.length === 0 ? on.purposes : purposes,
  });

/** Encrypts new secrets. Without `purposes`, the grant covers all purposes of the key. */
export const generateDataKey = onKey("kms:GenerateDataKey");
/** Decrypts secrets. Without `purposes`, the grant covers all purposes of the key. */
export const decryptDataKey = onKey("kms:Decrypt");

/** Reads the value of a secret that the operator sets after deployment. */
export const getSecretValue = <N extends string>(on: SecretResource<N>): Grant<N> => ({
  dependency: on.name,
  action: "secretsmanager:GetSecretValue",
  resource: on,
});

/**
 * Composes the grants of a function or service from its own and from the bundles of the services that it calls. A
 * repeated grant stays at its first place, and grants of one action on a key become one with all their purposes. The
 * order of the parts is the order of the statements in the function's policy.
 *
 * @example
 * export const changeOrderAccess = [getItem(orders), putItem(orders), getItem(users)] as const;
 * access: grants(changeOrderAccess, putItem(outbox)),
 */
export function grants<Name extends string>(
  ...parts: readonly (Grant<Name> | readonly Grant<Name>[])[]
): readonly Grant<Name>[] {
  const distinct: Grant<Name>[] = [];
  for (const grant of parts.flat()) {
    const at = distinct.findIndex((one) => isSamePermission(one, grant));
    const known = distinct[at];
    if (known) distinct[at] = withPurposesOf(known, grant);
    else distinct.push(grant);
  }
  return distinct;
}

const indexOf = (grant: Grant) => ("index" in grant ? grant.index : undefined);
const isSamePermission = (one: Grant, other: Grant) =>
  one.action === other.action && one.resource === other.resource && indexOf(one) === indexOf(other);

/** Extends a grant on a key by the purposes of another one. Returns any other grant as it is. */
function withPurposesOf<Name extends string>(grant: Grant<Name>, other: Grant): Grant<Name> {
  if (!("purposes" in grant && "purposes" in other)) return grant;
  return { ...grant, purposes: [...new Set([...grant.purposes, ...other.purposes])] };
}

/** Returns the environment variable that holds the location of a granted resource. */
export function resourceVariable(on: Grant["resource"]): string {
  const resource: { kind: string; name: string } = on.kind === "entity" ? on.table : on;
  return `${resource.kind}_${resource.name}`.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
}
