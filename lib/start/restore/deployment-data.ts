import type { S3Client } from "@aws-sdk/client-s3";
import type { BucketResource, KeyResource, TableResource } from "../../contract/resource-kinds.ts";
import { userKeyTable } from "../../contract/resources.ts";
import type { DataKeyProvider } from "../../crypto/envelope-encryption.ts";
import type { Item, Key } from "../../store/item.ts";
import type { Table } from "../../store/table.ts";
import { UserKeyStore } from "../../store/users/user-keys.ts";
import { readObjects, type SourceObject } from "./read-objects.ts";
import { scanItems } from "./scan-items.ts";

/** The tables, buckets and keys of a deployment, or copies of them. */
export interface DeploymentData {
  readonly table: (resource: TableResource) => Table;
  readonly s3: S3Client;
  readonly bucketName: (resource: BucketResource) => string;
  readonly dataKeys: (resource: KeyResource) => DataKeyProvider;
}

/** What encrypts the secrets of a deployment or of an archive. */
export interface DeploymentKeys {
  readonly dataKeys: (resource: KeyResource) => DataKeyProvider;
  /** The wrapped keys of teams. */
  readonly teamKeys: Pick<UserKeyStore, "getTeamKey" | "createTeamKey">;
}

/** What a restore reads: a deployment, copies of its tables, or an archive. Everything can be read several times. */
export interface DeploymentSource {
  readonly items: (table: TableResource) => AsyncIterable<readonly (Item & Key)[]>;
  readonly objects: (bucket: BucketResource) => AsyncIterable<readonly SourceObject[]>;
  readonly keys: DeploymentKeys;
}

/** The keys of a deployment. */
export const keysOf = (data: DeploymentData): DeploymentKeys => ({
  dataKeys: data.dataKeys,
  teamKeys: new UserKeyStore(data.table(userKeyTable)),
});

/** Reads a deployment. @param at the instant of which its objects are, epoch ms; now by default. */
export const readDeployment = (data: DeploymentData, at?: number): DeploymentSource => ({
  items: (table) => scanItems(data.table(table)),
  objects: (bucket) => readObjects(data.s3, data.bucketName(bucket), at),
  keys: keysOf(data),
});
