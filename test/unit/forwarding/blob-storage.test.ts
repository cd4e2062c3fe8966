import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { parseBlobStorageConnection } from "../../../lib/events/forwarding/blob-storage-connection.ts";
import { PermanentError } from "../../../lib/runtime/errors.ts";
import { type BlobEvent, putBlob } from "../../../lib/services/forwarding/blob-storage.ts";
import { BlobStoragePeer } from "../../support/peers/blob-storage-peer.ts";
import { createBrokerEvent } from "./create-broker-event.ts";

let peer: BlobStoragePeer;
beforeAll(async () => {
  peer = await BlobStoragePeer.start("lab");
});
beforeEach(() => vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1"));
afterEach(() => {
  vi.unstubAllEnvs();
  peer.blobs.length = 0;
  peer.failures.length = 0;
});
afterAll(() => peer.stop());

const blob = (about: Partial<BlobEvent> = {}): BlobEvent => ({
  ...createBrokerEvent(1),
  container: "lab",
  connectionString: peer.connectionString(),
  writtenAt: "2026-05-01T08:00:00.000Z",
  ...about,
});

test("an event becomes one blob under a stable name, compressed from 1 KiB on", async () => {
  await putBlob(blob(), "auto");
  await putBlob(blob(createBrokerEvent(2, { filling: 2_000 })), "auto");
  await putBlob(blob(createBrokerEvent(3, { user: "" })), "always");
  const begin = "2026-05-01T08:00:00.000Z#labtest.order.created#";
  expect(peer.blobs.map(({ name }) => name)).toEqual([
    `team-1/user-1/${begin}evt_1.json`,
    `team-1/user-1/${begin}evt_2.json.gz`,
    `team-1/team/${begin}evt_3.json.gz`,
  ]);
  expect(peer.blobs.map(({ data }) => data.place)).toEqual([1, 2, 3]);
});

test("a shared access signature works instead of the account key", async () => {
  await putBlob(blob({ connectionString: peer.sharedAccess }), "auto");
  expect(peer.blobs).toMatchObject([{ container: "lab", data: { place: 1 } }]);
});

test.each([
  [
    "another key",
    () => ({ connectionString: peer.connectionString(Buffer.alloc(64, 6).toString("base64")) }),
    "the storage account refused the credentials",
  ],
  ["a missing container", () => ({ container: "none" }), "the container does not exist"],
])("%s fails an event permanently, with the reason", async (_, about, reason) => {
  await expect(putBlob(blob(about()), "auto")).rejects.toEqual(new PermanentError(reason));
});

test.each([429, 500, 503])("a response of %i fails an event temporarily", async (status) => {
  peer.failures.push(status);
  const failure = await putBlob(blob(), "auto").catch((error) => error);
  expect(failure).toEqual(new Error("the storage account did not accept the event"));
  expect(failure).not.toBeInstanceOf(PermanentError);
});

test("no event is sent to an address outside the public internet", async () => {
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "");
  await expect(putBlob(blob(), "auto")).rejects.toBeInstanceOf(PermanentError);
  expect(peer.blobs).toEqual([]);
});

const KEY = "AccountKey=MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=";
test.each([
  [`AccountName=acc;${KEY};EndpointSuffix=core.windows.net`, "https://acc.blob.core.windows.net"],
  [`DefaultEndpointsProtocol=https;AccountName=acc;${KEY}`, "https://acc.blob.core.windows.net"],
  [`AccountName=acc;${KEY};BlobEndpoint=https://files.example.com/acc/`, "https://files.example.com/acc"],
  [
    "BlobEndpoint=https://acc.blob.core.windows.net;SharedAccessSignature=sv=1&sig=a%3D",
    "https://acc.blob.core.windows.net",
  ],
])("the endpoint of %s is parsed", (text, endpoint) => {
  expect(parseBlobStorageConnection(text)).toMatchObject({ endpoint });
});

test.each([
  "",
  "AccountName=acc",
  KEY,
  `AccountName=acc;${KEY};${KEY}`,
  `AccountName=acc/../x;${KEY}`,
  `AccountName=acc;${KEY};BlobEndpoint=https://user:word@files.example.com`,
  `AccountName=acc;${KEY};BlobEndpoint=https://files.example.com/?a=b`,
  "BlobEndpoint=https://files.example.com;SharedAccessSignature=a b",
])("the connection string %j is rejected with a reason", (text) => {
  expect(parseBlobStorageConnection(text)).toEqual(expect.any(String));
});
