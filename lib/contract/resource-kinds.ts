/** The kinds of things that a service consists of besides functions; resources.ts names each of ours. */

/** The key attributes of a sparse index and what else it carries: whole items unless it names the attributes. */
export interface IndexKeys {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Empty for the keys alone. */
  readonly carries?: readonly string[];
}

/** A DynamoDB table; every table has the string keys `pk` and `sk`. */
export interface TableResource {
  readonly kind: "table";
  readonly name: string;
  /** Sparse secondary indexes: index name -> its key attributes. */
  readonly indexes: Readonly<Record<string, IndexKeys>>;
  /** Whether changes are streamed to a relay. */
  readonly stream: boolean;
  /** Days for which it can be restored at most, whatever the deployment sets, and then only by point-in-time recovery. */
  readonly mostRestoreDays?: number;
}

/** One kind of item inside a table, told apart by the prefix of its partition key. */
export interface EntityResource<Store extends string = string> {
  readonly kind: "entity";
  /** The name under which a function receives the store of this entity. */
  readonly store: Store;
  readonly table: TableResource;
  /** What every partition key of the entity begins with; the grant is limited to it (`dynamodb:LeadingKeys`). */
  readonly keyPrefix: string;
}

/** Declares a table. */
export const table = (
  name: string,
  indexes: TableResource["indexes"] = {},
  { stream = false, ...options }: Partial<Pick<TableResource, "stream" | "mostRestoreDays">> = {},
): TableResource => ({ kind: "table", name, indexes, stream, ...options });

/** Declares a kind of item by the prefix of its partition keys. */
export const entity = <const Store extends string>(
  store: Store,
  ofTable: TableResource,
  keyPrefix: string,
): EntityResource<Store> => ({ kind: "entity", store, table: ofTable, keyPrefix });

/** What a deployment can have events forwarded to. */
export type ForwardKind = "kinesis" | "sqs" | "bus";

/** An SQS queue; each has a dead-letter queue of its own. */
export interface QueueResource<Name extends string = string> {
  readonly kind: "queue";
  readonly name: Name;
  /** Of a queue that is there only where events are forwarded to such targets. */
  readonly forwardsTo?: ForwardKind;
  /** Whether messages carry data of users, and not only the ids of what is stored. */
  readonly holdsData?: true;
}
/** Declares a queue. */
export const queue = <const Name extends string>(
  name: Name,
  options: Pick<QueueResource, "forwardsTo" | "holdsData"> = {},
): QueueResource<Name> => ({ kind: "queue", name, ...options });

/** An S3 bucket; objects are named by whoever keeps them. */
export interface BucketResource<Name extends string = string> {
  readonly kind: "bucket";
  readonly name: Name;
  /** After so many days an object is deleted by itself; absent where objects stay until they are dropped. */
  readonly expireDays?: number;
}
/** Declares a bucket. */
export const bucket = <const Name extends string>(name: Name, expireDays?: number): BucketResource<Name> => ({
  kind: "bucket",
  name,
  ...(expireDays === undefined ? {} : { expireDays }),
});

/** A KMS key of its own kind of secrets; `use` is the name under which a function receives the envelopes under it. */
export interface KeyResource<Use extends string = string, Purpose extends string = string> {
  readonly kind: "key";
  readonly name: string;
  readonly use: Use;
  /** What functions wrap and unwrap with it, as the `purpose` of the encryption context says; nothing else may be. */
  readonly purposes: readonly Purpose[];
}
/** Declares a key. */
export const key = <const Use extends string, const Purpose extends string>(
  name: string,
  use: Use,
  ...purposes: readonly [Purpose, ...Purpose[]]
): KeyResource<Use, Purpose> => ({ kind: "key", name, use, purposes });

/** A secret that whoever deploys gives its value; it has none until then. */
export interface SecretResource<Name extends string = string> {
  readonly kind: "secret";
  readonly name: Name;
}
/** Declares a secret. */
export const secret = <const Name extends string>(name: Name): SecretResource<Name> => ({ kind: "secret", name });
