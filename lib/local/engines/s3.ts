import { startFauxqs } from "fauxqs";
import type { Assembly } from "../template/assembly.ts";

/** An S3 engine that answers at `origin`. */
export interface S3Engine {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts fauxqs for S3 alone, its objects in a directory, with the buckets of the templates. */
export async function startS3(dataDirectory: string, assembly: Assembly): Promise<S3Engine> {
  const server = await startFauxqs({ port: 0, host: "127.0.0.1", dataDir: dataDirectory, logger: false });
  for (const { type, name } of assembly.resources) if (type === "AWS::S3::Bucket") server.createBucket(name);
  return { origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop() };
}
