import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResolvedAssembly } from "../../../lib/local/template/read-assembly.ts";
import { TestService } from "../../support/service.ts";
import { ingestBatch } from "../service/ingest/ingest-batch.ts";
import { orderRequest } from "../service/orders/order-helpers.ts";
import { type CanaryUser, createCanaryUser, createPayor } from "../service/platform/confidentiality/canary-user.ts";
import { RECEIVER_SECRET, Receiver } from "../service/webhooks/webhook-receiver.ts";
import { keepCopy } from "./deployment-copy.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const USERS = 6;

/** A request with an idempotency key, and its response. */
interface IdempotentOrder {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

/** A deployment that is gone, except for its copies, its KMS keys and what its clients know. */
export interface LostDeployment {
  readonly assembly: ResolvedAssembly;
  /** The copy of tables and objects, a later copy, and the files that outlive the tables. */
  readonly directory: string;
  readonly latest: string;
  readonly outlives: string;
  readonly users: readonly CanaryUser[];
  /** A user whose erasure ended after the copy. */
  readonly erased: CanaryUser;
  /** The responses about all other users at the time of the copy, by path. */
  readonly reads: ReadonlyMap<string, unknown>;
  readonly order: IdempotentOrder;
  readonly receiver: Receiver;
  /** Ids of webhooks that the receiver had by the copy. */
  readonly deliveredIds: ReadonlySet<string>;
  /** The last sequence that receivers know, of an event after the copy. */
  readonly lastSequence: number;
}

/** The paths that are read before and after. */
const pathsOf = (userId: string) =>
  [
    `/v2/user/${userId}`,
    ...["heartrate", "note"].map((name) => `/v2/timeseries/${userId}/${name}/grouped?start_date=2026-05-01`),
    ...["activity", "workouts", "sleep", "meal"].map((name) => `/v2/summary/${name}/${userId}?start_date=2026-05-01`),
    `/v2/user/${userId}/info/latest`,
  ] as const;

/** Reads what the service returns about users. */
export async function readUsers(service: TestService, users: readonly CanaryUser[]): Promise<Map<string, unknown>> {
  const reads = new Map<string, unknown>();
  for (const path of users.flatMap(({ user_id }) => pathsOf(user_id))) {
    const { status, body } = await service.call("GET", path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    reads.set(path, JSON.parse(JSON.stringify(body).replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")));
  }
  return reads;
}

export const webhookIds = ({ received }: Receiver): string[] =>
  received.map(({ headers }) => String(headers["webhook-id"]));

/** The newest sequence of the feed of the first team. */
export async function readLastSequence(service: TestService): Promise<number> {
  let after = 0;
  for (;;) {
    const { body } = await service.call("GET", `/v2/events?limit=500&after=${after}`);
    if (body.events.length === 0) return after;
    after = body.next;
  }
}

/** Writes, copies, writes more, erases a user, copies again, and loses everything else. */
export async function loseDeployment(): Promise<LostDeployment> {
  const service = await TestService.start();
  const receiver = await Receiver.start(service);
  const { org_id, team_id } = service.identity;
  const body = { url: receiver.url, secret: RECEIVER_SECRET };
  await service.manage("POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, { body });
  const payor_code = await createPayor(service);
  const users: CanaryUser[] = [];
  for (let place = 0; place < USERS; place++)
    users.push(
      await createCanaryUser(service, `restored/${place}`, { payor_code, order: place < 2, report: place < 2 }),
    );
  await service.settle();
  const [erased, ...others] = users;
  if (!erased || !others[0]) throw new Error("no users");
  const order = await placeOrder(service, others[0].user_id);
  const [directory = "", latest = "", outlives = ""] = ["copy", "latest", "outlives"].map((name) =>
    mkdtempSync(join(tmpdir(), `restore-${name}-`)),
  );
  await service.settle();
  const reads = await readUsers(service, others);
  const deliveredIds = new Set(webhookIds(receiver));
  keepCopy(service, directory);
  await ingestBatch(service, others[0].user_id, { heartrate: [{ timestamp: "2026-05-01T09:00:00Z", value: 99 }] });
  await service.createUser("created after the copy");
  await service.call("DELETE", `/v2/user/${erased.user_id}`);
  await service.advance(7 * DAY_MS + 60_000);
  const lastSequence = await readLastSequence(service);
  keepCopy(service, latest);
  for (const name of ["kms.key", "identity.json"]) cpSync(service.data.file(name), join(outlives, name));
  const { assembly } = service.cloud;
  await service.stop();
  return { assembly, directory, latest, outlives, users, erased, reads, order, receiver, deliveredIds, lastSequence };
}

async function placeOrder(service: TestService, userId: string): Promise<IdempotentOrder> {
  const body = orderRequest(userId);
  const headers = { "x-idempotency-key": "before the loss" };
  const { status, body: answer } = await service.call("POST", "/v3/order", { body, headers });
  if (status !== 200) throw new Error(`no order: ${JSON.stringify(answer)}`);
  return { body, headers, answer };
}

/**
 * Starts an empty deployment with another name, which knows the keys of the clients. Its clock shows the time of the
 * copy: an idempotency key lives for a day, but a grace period lasts seven.
 */
export function startEmptyDeployment({ outlives }: LostDeployment, name: string): Promise<TestService> {
  const directory = mkdtempSync(join(tmpdir(), "restore-target-"));
  cpSync(join(outlives, "identity.json"), join(directory, "identity.json"));
  return TestService.start(directory, { name });
}
