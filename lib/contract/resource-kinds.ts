/** Kinds of resources of the service besides functions. resources.ts declares each resource. */

/**
 * Key attributes of a sparse secondary index and its projection: whole items, unless `projectedAttributes` names the attributes.
 */
export interface IndexKeys {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Empty for a keys-only projection. */
  readonly projectedAttributes?: readonly string[];
  /**
   * Whether the partition key is the id of a team, as items of earlier versions have it. By default it begins with the
   * prefix of an entity, which limits grants on the index.
   */
  readonly isOfTeam?: true;
}

/** A DynamoDB table; every table has the string keys `pk` and `sk`. */
export interface TableResource {
  readonly kind: "table";
  readonly name: string;
  /** Sparse secondary indexes by name. */
  readonly indexes: Readonly<Record<string, IndexKeys>>;
  /** Whether the table has a change stream for a relay. */
  readonly stream: boolean;
  /** Maximum days of point-in-time recovery, whatever the deployment sets. Such a table has no other backup. */
  readonly maxRestoreDays?: number;
}

/** One kind of item in a table, identified by the prefix of its partition keys. */
export interface EntityResource<Store extends string = string> {
  readonly kind: "entity";
  /** Name of the dependency with which a function receives the store of this entity. */
  readonly store: Store;
  readonly table: TableResource;
  /** Prefix of every partition key of the entity. Grants are limited to it (`dynamodb:LeadingKeys`). */
  readonly keyPrefix: string;
  /** False for items that belong to no user: the access log records no call that reaches them alone. */
  readonly holdsUserData?: false;
}

/** Declares a table. */
export const table = (
  name: string,
  indexes: TableResource["indexes"] = {},
  { stream = false, ...options }: Partial<Pick<TableResource, "stream" | "maxRestoreDays">> = {},
): TableResource => ({ kind: "table", name, indexes, stream, ...options });

/** Declares a kind of item with user data by the prefix of its partition keys. */
export const entity = <const Store extends string>(
  store: Store,
  ofTable: TableResource,
  keyPrefix: string,
): EntityResource<Store> => ({ kind: "entity", store, table: ofTable, keyPrefix });

/** Declares a kind of item without user data. */
export const teamEntity = <const Store extends string>(
  ...args: Parameters<typeof entity<Store>>
): EntityResource<Store> => ({ ...entity(...args), holdsUserData: false });

/** Kinds of targets that a deployment can forward events to. */
export type ForwardKind = "kinesis" | "sqs" | "bus" | "lake";

/** An SQS queue with its own dead-letter queue. */
export interface QueueResource<Name extends string = string> {
  readonly kind: "queue";
  readonly name: Name;
  /** One sentence: the effect on users when messages end in the dead-letter queue. The alarm of that queue states it. */
  readonly impact: string;
  /** Set for a queue that exists only where the deployment forwards events to such targets. */
  readonly forwardsTo?: ForwardKind;
  /** Whether messages carry user data instead of the ids of stored data. */
  readonly carriesUserData?: true;
  /** Whether webhooks are late when its messages wait. The dashboard shows such queues in a graph of their own. */
  readonly delaysWebhooks?: true;
}
/** Declares a queue. */
export const queue = <const Name extends string>(
  name: Name,
  options: Omit<QueueResource, "kind" | "name">,
): QueueResource<Name> => ({ kind: "queue", name, ...options });

/** An S3 bucket. Its writers choose the object keys. */
export interface BucketResource<Name extends string = string> {
  readonly kind: "bucket";
  readonly name: Name;
  /** One sentence: why policies allow actions on all objects (`*`), which cdk-nag finds. */
  readonly wildcardReason: string;
  /** Days after which an object expires. Without it objects stay until they are deleted. */
  readonly expireDays?: number;
}
/** Declares a bucket. */
export const bucket = <const Name extends string>(
  name: Name,
  options: Omit<BucketResource, "kind" | "name">,
): BucketResource<Name> => ({ kind: "bucket", name, ...options });

/**
 * A KMS key for one kind of secrets. `use` names the dependency with which a function receives the encryption under it.
 */
export interface KeyResource<Use extends string = string, Purpose extends string = string> {
  readonly kind: "key";
  readonly name: string;
  readonly dependency: Use;
  /** Purposes of its data keys, as the `purpose` of the encryption context. The key policy allows no others. */
  readonly purposes: readonly Purpose[];
}
/** Declares a key. */
export const key = <const Use extends string, const Purpose extends string>(
  name: string,
  use: Use,
  ...purposes: readonly [Purpose, ...Purpose[]]
): KeyResource<Use, Purpose> => ({ kind: "key", name, dependency: use, purposes });

/** A secret whose value the operator sets after deployment. It has no value until then. */
export interface SecretResource<Name extends string = string> {
  readonly kind: "secret";
  readonly name: Name;
}
/** Declares a secret. */
export const secret = <const Name extends string>(name: Name): SecretResource<Name> => ({ kind: "secret", name });
