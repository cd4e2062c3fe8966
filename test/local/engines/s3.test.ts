import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Engine, startS3 } from "../../../lib/local/engines/s3.ts";

const directory = mkdtempSync(join(tmpdir(), "s3-engine-"));
let engine: S3Engine;
beforeAll(async () => {
  engine = await startS3({ directory, buckets: ["kept"] });
});
afterAll(async () => {
  await engine.stop();
  rmSync(directory, { recursive: true });
});

const send = (path: string, authorization: string | undefined, method = "GET", body?: string) =>
  fetch(`${engine.origin}${path}`, {
    method,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    ...(body === undefined ? {} : { body }),
  });

test("a request without the access key gets no response: no list of buckets, no object, no page", async () => {
  expect((await send("/kept/file", engine.authorization, "PUT", "secret")).status).toBe(200);
  const wrong = engine.authorization.replace(/Credential=./, "Credential=_");
  const local = "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/s3/aws4_request";
  for (const authorization of [undefined, "", wrong, local, engine.accessKeyId]) {
    for (const path of ["/", "/kept", "/kept/file", "/health", "/_fauxqs/queues", "/nothing", "/?Action=ListTopics"]) {
      const answer = await send(path, authorization);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).not.toMatch(/secret|<Bucket|<Key>/);
    }
    expect((await send("/kept/file", authorization, "DELETE")).status).toBe(403);
    expect((await send("/", authorization, "POST", "Action=ListTopics")).status).toBe(403);
  }
  expect(await (await send("/kept/file", engine.authorization)).text()).toBe("secret");
});

test("each start has a new access key and keeps the objects", async () => {
  await send("/kept/again", engine.authorization, "PUT", "still there");
  const { accessKeyId } = engine;
  await engine.stop();
  engine = await startS3({ directory, buckets: ["kept"] });
  expect(engine.accessKeyId).not.toBe(accessKeyId);
  expect(await (await send("/kept/again", engine.authorization)).text()).toBe("still there");
});

/** Addresses of this machine other than the one that engines listen on. */
const others = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ family, internal }) => family === "IPv4" && !internal)
  .map(({ address }) => address);

// On Linux all of 127.0.0.0/8 is local; only a socket on all addresses answers on 127.0.0.2.
test.each([...others, ...(process.platform === "linux" ? ["127.0.0.2"] : [])])(
  "the engine does not listen on %s",
  async (address) => {
    const socket = connect(Number(new URL(engine.origin).port), address);
    const outcome = await Promise.race([once(socket, "connect"), once(socket, "error")]).catch((error) => [error]);
    socket.destroy();
    expect(outcome).toEqual([expect.objectContaining({ code: "ECONNREFUSED" })]);
  },
);
