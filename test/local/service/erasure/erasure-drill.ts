import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import type { TestService } from "../../../support/service.ts";
import type { CanaryUser } from "../platform/confidentiality/canary-user.ts";
import {
  deleteExpiredItems,
  type FileHit,
  findValues,
  itemText,
  type RawItem,
  scanAllItems,
  searchFiles,
} from "../support/search-stored-data.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { createDrillUsers, type ErasureDrillOptions, isErased } from "./drill-users.ts";

/** Result of an erasure drill. */
export interface ErasureDrillReport {
  /** Attempts of calls in erasure steps that failed by an injected fault. */
  readonly struck: number;
  /** Certificates whose leftover scan found nothing. */
  readonly certificates: number;
  /** Items with data of the erased users before the erasure. */
  readonly before: number;
  /** Afterwards: leftovers in items and in files. */
  readonly items: number;
  readonly files: readonly FileHit[];
  /** Users whose ids remain only in the history of the state machine and in logs, which expire. */
  readonly logged: number;
  readonly searched: { readonly bytes: number; readonly files: number; readonly items: number };
  /** Other users whose ids are in the files, which proves that the search works. */
  readonly othersInFiles: number;
  /** Items of the other users, and those of them that changed or disappeared. */
  readonly othersItems: number;
  readonly collateral: readonly string[];
  readonly consents: Readonly<Record<string, number>>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Users deleted per hour. */
const USERS_DELETED_PER_HOUR = 10;
/** Age at which an expired item counts as deleted; DynamoDB deletes expired items within days. */
const EXPIRED_MS = 2 * HOUR_MS;
/** Files that may contain ids until they expire. */
const EXPIRING_LOG_FILES: readonly string[] = ["states.sqlite", "functions.log"];

/**
 * Erases some of many users while calls of the erasure fail, and searches for leftovers of the erased users and for
 * missing data of the others. Stops the service and deletes its data.
 */
export async function runErasureDrill(
  service: TestService,
  { users, erased, seed }: ErasureDrillOptions,
  onUsers: (done: number) => void = () => {},
): Promise<ErasureDrillReport> {
  const everyone = await createDrillUsers(service, { users, erased, seed }, onUsers);
  const gone = everyone.filter((_, place) => isErased(place, { users, erased }));
  const others = everyone.filter((user) => !gone.includes(user));
  const wanted = new Set(gone.flatMap(({ user_id, canaries }) => [user_id, ...canaries]));
  // Deliveries that found no free slot of their endpoint wait for the next sweeps, and change items.
  await service.advance(HOUR_MS);
  const before = await snapshot(service, others, wanted);
  addFaults(service, seed);
  await eraseUsers(service, gone);
  const struck = service.cloud.faults.list().reduce((total, rule) => total + rule.struck, 0);
  service.cloud.faults.clear();
  await service.advance(4 * HOUR_MS);
  const { certificates, consents } = await countCertificates(service, gone);
  await deleteExpiredItems(service, EXPIRED_MS);
  const after = await snapshot(service, others, wanted);
  const nowS = service.cloud.clock.now() / 1000;
  const kept = [...before.others].filter(([, { expires }]) => expires === undefined || expires > nowS);
  await service.stop({ keep: true });
  // The inbox belongs to the receiver.
  const isLeftOut = (file: string) => /inbox|lock\.sqlite/.test(file);
  const otherIds = others.map(({ user_id }) => user_id);
  const all = new Set([...wanted, ...otherIds]);
  const { hits: found, bytes, files } = searchFiles(service.data.path, all, isLeftOut);
  const hits = found.filter(({ what }) => wanted.has(what));
  rmSync(service.data.path, { recursive: true, force: true });
  const ids = new Set(gone.map(({ user_id }) => user_id));
  const isLogged = ({ file, what }: FileHit) => EXPIRING_LOG_FILES.includes(file) && ids.has(what);
  return {
    struck,
    certificates,
    consents,
    before: before.found,
    items: after.found,
    files: hits.filter((hit) => !isLogged(hit)),
    logged: new Set(hits.filter(isLogged).map(({ what }) => what)).size,
    searched: { bytes, files, items: after.count },
    othersInFiles: new Set(found.map(({ what }) => what)).intersection(new Set(otherIds)).size,
    othersItems: kept.length,
    collateral: kept.flatMap(([name, { digest }]) => (after.others.get(name)?.digest === digest ? [] : [name])),
  };
}

/** Injects faults that the clients of functions handle by retries, and some that they do not. */
function addFaults(service: TestService, seed: number): void {
  for (const name of ["beginErasure", "endConsents", "eraseUser"]) {
    const of = { function: findFunctionName(service, name), seed };
    for (const mode of ["fail_before", "fail_after"] as const) {
      service.cloud.faults.add({ ...of, service: "dynamodb", mode, probability: 0.03 });
      service.cloud.faults.add({ ...of, service: "dynamodb", mode, probability: 0.001, every_attempt: true });
      service.cloud.faults.add({ ...of, service: "s3", mode, probability: 0.05 });
      service.cloud.faults.add({ ...of, service: "http", mode, probability: 0.15 });
    }
  }
}

/** Deletes some users an hour, then advances the clock past the grace period of all. */
async function eraseUsers(service: TestService, gone: readonly CanaryUser[]): Promise<void> {
  for (let first = 0; first < gone.length; first += USERS_DELETED_PER_HOUR) {
    for (const { user_id } of gone.slice(first, first + USERS_DELETED_PER_HOUR)) {
      const { status } = await service.call("DELETE", `/v2/user/${user_id}`);
      if (status !== 200) throw new Error(`not deleted: ${status}`);
    }
    await service.advance(HOUR_MS);
  }
  await service.advance(7 * DAY_MS);
}

async function countCertificates(service: TestService, gone: readonly CanaryUser[]) {
  const consents: Record<string, number> = {};
  let certificates = 0;
  for (const { user_id } of gone) {
    const { status, body } = await service.call("GET", `/v2/user/erasure/${user_id}`);
    if (status !== 200 || body.scan.found !== 0) continue;
    certificates++;
    for (const [outcome, count] of Object.entries(body.consents)) {
      consents[outcome] = (consents[outcome] ?? 0) + Number(count);
    }
  }
  return { certificates, consents };
}

/** An item of another user, as a digest of its contents. */
interface ItemSnapshot {
  readonly digest: string;
  readonly expires: number | undefined;
}

/** Unpacks every item: counts leftovers of the erased users, and digests the items of the others. */
async function snapshot(service: TestService, others: readonly CanaryUser[], wanted: ReadonlySet<string>) {
  const ids = new Set(others.map(({ user_id }) => user_id));
  const seen = new Map<string, ItemSnapshot>();
  let [found, count] = [0, 0];
  for await (const raw of scanAllItems(service)) {
    count++;
    const text = itemText(raw);
    found += findValues(text, wanted).length > 0 ? 1 : 0;
    if (findValues(text, ids).length > 0 && !isShared(raw)) seen.set(itemName(raw), toItemSnapshot(raw, text));
  }
  return { found, count, others: seen };
}

const itemName = ({ table, item }: RawItem) => `${table} ${item.pk} ${item.sk}`;
/** Pages of the event feed list events of several users. */
const isShared = ({ item }: RawItem) => item.pk.startsWith("feed#");

function toItemSnapshot({ item }: RawItem, text: string): ItemSnapshot {
  const { expires_at } = item;
  const digest = createHash("sha256").update(text).digest("hex");
  return { digest, expires: typeof expires_at === "number" ? expires_at : undefined };
}
