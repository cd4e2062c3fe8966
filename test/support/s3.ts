import { startFauxqs } from "fauxqs";
import { environmentName } from "../../lib/contract/access.ts";
import { buckets } from "../../lib/contract/resources.ts";

/**
 * Starts the real S3 engine on a free port with the buckets that lib/contract/resources.ts declares, in memory, and
 * points the environment of this process at them. Once in a process, and before the first use of a bucket.
 */
export async function startS3(): Promise<{ stop(): Promise<void> }> {
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${server.port}`;
  for (const name of nameBuckets()) server.createBucket(name);
  return { stop: () => server.stop() };
}

/** Points the environment of this process at buckets. @returns their names. */
export function nameBuckets(): string[] {
  return buckets.map((bucket) => {
    const name = bucket.name.toLowerCase();
    process.env[environmentName(bucket)] = name;
    return name;
  });
}
