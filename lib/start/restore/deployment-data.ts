import type { S3Client } from "@aws-sdk/client-s3";
import type { BucketResource, KeyResource, TableResource } from "../../contract/resource-kinds.ts";
import type { DataKeyProvider } from "../../crypto/envelope-encryption.ts";
import type { Table } from "../../store/table.ts";

/** The tables, buckets and keys of a deployment, or copies of them. */
export interface DeploymentData {
  readonly table: (resource: TableResource) => Table;
  readonly s3: S3Client;
  readonly bucketName: (resource: BucketResource) => string;
  readonly dataKeys: (resource: KeyResource) => DataKeyProvider;
}
