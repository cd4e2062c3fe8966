import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FunctionHost } from "../../../lib/local/functions/function-host.ts";

/** A server that records callers and body sizes. */
interface Listener {
  readonly url: string;
  readonly seen: { caller: string | undefined; path: string | undefined; bytes: number }[];
  readonly server: Server;
}

const CALLER_KEY = "key-of-this-start";

/** Returns the caller of a request, which has to show the key too. */
function callerOf({ headers }: IncomingMessage): string | undefined {
  const { "x-caller": caller, "x-caller-key": key } = headers;
  if (key !== (caller === undefined ? undefined : CALLER_KEY)) return `${caller} with the key ${key}`;
  return caller?.toString();
}

async function listen(): Promise<Listener> {
  const seen: Listener["seen"] = [];
  const server = createServer(async (incoming, response) => {
    let bytes = 0;
    for await (const chunk of incoming) bytes += chunk.length;
    seen.push({ caller: callerOf(incoming), path: incoming.url, bytes });
    response.end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server };
}

const credentials = `{ accessKeyId: "local", secretAccessKey: "local" }`;
const sdk = (name: string) => JSON.stringify(import.meta.resolve(name));
const sources = {
  sqs: `import { SendMessageCommand, SQSClient } from ${sdk("@aws-sdk/client-sqs")};
    const client = new SQSClient({ endpoint: process.env.TEST_LOCAL, region: "us-east-1", credentials: ${credentials}, md5: false });
    export const handler = async ({ times }) => {
      const send = new SendMessageCommand({ QueueUrl: process.env.TEST_LOCAL + "/0/queue", MessageBody: "x" });
      for (let count = 0; count < times; count++) await client.send(send);
    };`,
  s3: `import { PutObjectCommand, S3Client } from ${sdk("@aws-sdk/client-s3")};
    const client = new S3Client({ endpoint: process.env.TEST_LOCAL, region: "us-east-1", credentials: ${credentials} });
    export const handler = async ({ bytes }) => {
      await client.send(new PutObjectCommand({ Bucket: "b", Key: "k", Body: Buffer.alloc(bytes) }));
    };`,
  http: `import { request } from "node:http";
    export const handler = ({ url }) => new Promise((resolve) => {
      request(url, (response) => response.resume().on("end", resolve)).end();
    });`,
  fetch: `export const handler = async ({ url }) => { await (await fetch(url)).text(); };`,
  late: `export const handler = async ({ url }) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await (await fetch(url)).text();
    };`,
};

let local: Listener;
let foreign: Listener;
let directory: string;
let host: FunctionHost;

async function register(name: string, source: string, timeoutS = 10): Promise<void> {
  await writeFile(join(directory, `${name}.mjs`), source);
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
  const environment = { TEST_LOCAL: local.url };
  host.register({ name, arn, directory, handler: `${name}.handler`, environment, timeoutS, memoryMb: 128 });
}

beforeEach(async () => {
  [local, foreign, directory] = await Promise.all([listen(), listen(), mkdtemp(join(tmpdir(), "caller-name-"))]);
  host = new FunctionHost({ clock: Date, localOrigin: local.url, callerKey: CALLER_KEY });
});
afterEach(async () => {
  host.close();
  delete process.env.TEST_LOCAL;
  for (const { server } of [local, foreign]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(directory, { recursive: true });
});

describe("a request of a function to the local services", () => {
  test("names its function when an SDK client sends it, also on a kept-alive connection and in parallel with another function", async () => {
    await register("first", sources.sqs);
    await register("second", sources.sqs);
    const calls = ["first", "second", "first"].map((name) => host.invoke(name, { times: 3 }));
    await Promise.all(calls);
    const callers = local.seen.map(({ caller }) => caller);
    expect(callers.toSorted()).toEqual([...Array(6).fill("first"), ...Array(3).fill("second")]);
  });

  test("names its function when two functions share a client", async () => {
    await register("shared", sources.sqs);
    await register("one", 'export { handler } from "./shared.mjs";');
    await register("two", 'export { handler } from "./shared.mjs";');
    for (const name of ["one", "two", "one"]) await host.invoke(name, { times: 1 });
    expect(local.seen.map(({ caller }) => caller)).toEqual(["one", "two", "one"]);
  });

  test.each([1_000, 3_000_000])(
    "names its function with an S3 body of %i bytes, which arrives unchanged",
    async (bytes) => {
      await register("store", sources.s3);
      await host.invoke("store", { bytes });
      expect(local.seen).toHaveLength(1);
      expect(local.seen[0]).toMatchObject({ caller: "store" });
      expect(local.seen[0]?.bytes).toBeGreaterThanOrEqual(bytes);
    },
  );

  test.each(["http", "fetch"] as const)("names its function when %s sends it", async (client) => {
    await register("get", sources[client]);
    await register("other", sources[client]);
    await Promise.all(["get", "other"].map((name) => host.invoke(name, { url: `${local.url}/${name}` })));
    expect(local.seen.map(({ caller, path }) => [path, caller]).toSorted()).toEqual([
      ["/get", "get"],
      ["/other", "other"],
    ]);
  });

  test("has no name after its function timed out", async () => {
    await register("late", sources.late, 0.02);
    await expect(host.invoke("late", { url: local.url })).rejects.toThrow("Task timed out");
    await expect.poll(() => local.seen).toMatchObject([{ caller: undefined }]);
  });
});

describe("an invocation with an injected crash", () => {
  const three = `export const handler = async ({ url }) => {
      for (const call of [1, 2, 3]) await (await fetch(url + "/" + call)).text();
    };`;
  const callers = () => local.seen.map(({ path, caller }) => [path, caller]);

  test("fails at its next call, and later calls have no caller", async () => {
    await register("three", three);
    host.crashPlan = () => 2;
    await expect(host.invoke("three", { url: local.url })).rejects.toThrow("Runtime exited");
    await expect
      .poll(() => callers())
      .toEqual([
        ["/1", "three"],
        ["/2", "three"],
        ["/3", undefined],
      ]);
  });

  test("fails at its end if it makes fewer calls", async () => {
    await register("three", three);
    host.crashPlan = (name, event) => (name === "three" && event !== undefined ? 4 : undefined);
    await expect(host.invoke("three", { url: local.url })).rejects.toThrow("Runtime exited");
    expect(callers().at(-1)).toEqual(["/3", "three"]);
    host.crashPlan = () => undefined;
    expect(await host.invoke("three", { url: local.url })).toBeNull();
  });
});

describe("a caller name is not added to", () => {
  test.each(["http", "fetch"] as const)("a request to another host, sent by %s", async (client) => {
    await register("away", sources[client]);
    await host.invoke("away", { url: foreign.url });
    expect(foreign.seen).toMatchObject([{ caller: undefined }]);
  });

  test("a request outside of a function", async () => {
    await fetch(local.url);
    await once(request(local.url).end(), "response");
    expect(local.seen).toMatchObject([{ caller: undefined }, { caller: undefined }]);
  });
});
