import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buckets } from "../../../lib/contract/resources.ts";
import { signWebhook } from "../../../lib/crypto/webhook-signature.ts";
import { SEQUENCE_GAP } from "../../../lib/start/restore/advance-sequence.ts";
import type { DeploymentSource } from "../../../lib/start/restore/deployment-data.ts";
import { type RestoreReport, restoreDeployment } from "../../../lib/start/restore/restore-deployment.ts";
import type { TestService } from "../../support/service.ts";
import { reapplyErasures } from "../service/erasure/restored-backup.ts";
import { ingestBatch } from "../service/ingest/ingest-batch.ts";
import { findValues, itemText, scanAllItems } from "../service/support/search-stored-data.ts";
import { RECEIVER_SECRET, type ReceivedWebhook } from "../service/webhooks/webhook-receiver.ts";
import { describeService } from "./deployment-copy.ts";
import {
  type LostDeployment,
  loseDeployment,
  readLastSequence,
  readUsers,
  startEmptyDeployment,
  webhookIds,
} from "./lost-deployment.ts";

const NAME = "Restored";

/** Whether a webhook carries the signature of the endpoint's secret. */
function isSigned({ headers, text }: ReceivedWebhook): boolean {
  const [id = "", at = "", signature = ""] = ["id", "timestamp", "signature"].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  return signature === signWebhook([RECEIVER_SECRET], id, Number(at), text);
}

/** What a lost deployment is restored from. */
interface RestoreOrigin {
  readonly source: DeploymentSource;
  readonly close: () => Promise<void>;
}

/** Loses a deployment, restores it into another one with other KMS keys, and tests what clients find there. */
export function testRestoredDeployment(openOrigin: (lost: LostDeployment) => Promise<RestoreOrigin>): void {
  let lost: LostDeployment;
  let origin: RestoreOrigin;
  let service: TestService;
  let report: RestoreReport;
  /** What the deployment answered a known key before each step. */
  const answers: number[] = [];
  const restore = (isContinued = false, isInterrupted = false) =>
    restoreDeployment({
      from: origin.source,
      to: describeService(service),
      isContinued,
      reapplyErasures: async () => {
        if (isInterrupted) throw new Error("interrupted");
        answers.push((await service.call("GET", "/v2/user")).status);
        return reapplyErasures(service, "--stack", NAME);
      },
    });
  beforeAll(async () => {
    lost = await loseDeployment();
    origin = await openOrigin(lost);
    service = await startEmptyDeployment(lost, NAME);
    await service.advance(120_000);
    lost.receiver.received.splice(0);
    await expect(restore(false, true)).rejects.toThrow("interrupted");
    const startedMs = performance.now();
    report = await restore(true);
    const items = Object.values(report.tables).reduce((sum, table) => sum + table.items + table.late, 0);
    console.info(`restored ${items} items in ${Math.round(performance.now() - startedMs)} ms`);
    await service.advance(120_000);
  }, 600_000);
  afterAll(async () => {
    await origin?.close();
    await service?.stop();
    await lost?.receiver.stop();
  });

  test("a deployment answers no caller before the erasures are applied again, also after an interruption", () => {
    expect(answers).toEqual([401]);
  });

  test("every user is read as at the time of the copy, except for the erased one", { tags: "deep" }, async () => {
    const others = lost.users.filter((user) => user !== lost.erased);
    expect(await readUsers(service, others)).toEqual(lost.reads);
    const { user_id } = lost.erased;
    expect((await service.call("GET", `/v2/user/${user_id}`)).status).toBe(404);
    const { status, body } = await service.call("GET", `/v2/user/erasure/${user_id}`);
    expect([status, body.user_id, body.scan.found]).toEqual([200, user_id, 0]);
  });

  test("nothing of the erased user is left in any item or object", async () => {
    const { canaries, user_id } = lost.erased;
    const wanted = new Set([...canaries, user_id]);
    const kept = new Set(lost.users.flatMap((user) => (user === lost.erased ? [] : [...user.canaries])));
    const found: string[] = [];
    const ofOthers = new Set<string>();
    for await (const item of scanAllItems(service)) {
      const text = itemText(item);
      // The access log names users by digests, and keeps the ids of resources.
      if (findValues(text, wanted).length > 0) found.push(`${item.item.pk} ${item.item.sk}`);
      for (const value of findValues(text, kept)) ofOthers.add(value);
    }
    expect(found).toEqual([]);
    expect(ofOthers.size).toBeGreaterThan(50);
    expect(report.erasures).toMatchObject({ erased: 1 });
    expect(report.erasures.items).toBeGreaterThan(20);
    const { s3, bucketName } = describeService(service);
    const keys = await Promise.all(
      buckets.map(async (bucket) => (await s3.send(new ListObjectsV2Command({ Bucket: bucketName(bucket) }))).Contents),
    );
    const names = keys.flatMap((some) => some?.map(({ Key }) => Key ?? "") ?? []);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => name.includes(user_id))).toEqual([]);
  });

  test("an idempotency key holds, and no webhook that was delivered is sent again", async () => {
    expect(lost.deliveredIds.size).toBeGreaterThan(10);
    const { body, headers, answer } = lost.order;
    expect((await service.call("POST", "/v3/order", { body, headers })).body).toEqual(answer);
    await service.settle();
    expect(webhookIds(lost.receiver).filter((id) => lost.deliveredIds.has(id))).toEqual([]);
  });

  test("new events get sequences that no receiver knows, and their webhooks carry the signature of the endpoint", async () => {
    const before = lost.receiver.received.length;
    const [user] = lost.users.filter((one) => one !== lost.erased);
    await ingestBatch(service, user?.user_id ?? "", { heartrate: [{ timestamp: "2026-05-01T10:00:00Z", value: 70 }] });
    const { body } = await service.call("GET", `/v2/events?after=${lost.lastSequence}`);
    expect(body.events.length).toBeGreaterThan(0);
    expect(body.events[0].sequence).toBeGreaterThan(SEQUENCE_GAP);
    expect(await readLastSequence(service)).toBe(body.next);
    const [sent] = lost.receiver.received.slice(before);
    expect(sent && isSigned(sent)).toBe(true);
  });

  test("a deployment with data refuses a restore", async () => {
    await expect(restore()).rejects.toThrow("is not empty (--continue after an interruption)");
  });
}
