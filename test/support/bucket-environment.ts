import { resourceVariable } from "../../lib/contract/access.ts";
import { buckets } from "../../lib/contract/resources.ts";

/** Sets the bucket variables of this process's environment. */
export function setBucketEnvironment(): void {
  for (const bucket of buckets) process.env[resourceVariable(bucket)] = bucket.name.toLowerCase();
}
