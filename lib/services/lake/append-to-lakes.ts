import {
  batchGetItem,
  deleteObject,
  getItem,
  getObject,
  grants,
  putItem,
  putObject,
  queryItems,
  sendMessage,
} from "../../contract/access.ts";
import { lakeAppends } from "../../contract/queues.ts";
import {
  accessLog,
  chunks,
  lake,
  lakeTables,
  lakeUsers,
  outbox,
  summaries,
  teams,
  users,
} from "../../contract/resources.ts";
import { userKeyAccess } from "../../contract/user-key-access.ts";
import { userDigest } from "../../domain/erasure/erasure-certificate.ts";
import { lakeTableNames } from "../../domain/lake/lake-tables.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import type { LakeMessage } from "../../events/lake/lake-message.ts";
import { recordServiceAccess } from "../../runtime/audit/record-service-access.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { APPENDS_PER_COMMIT, type Append, type AppendRowsDependencies, appendRows } from "./append-rows.ts";
import {
  type ReadRowsDependencies,
  type RowsByTable,
  readBatchRows,
  readEventRows,
  readUserRows,
} from "./read-rows.ts";

type AppendToLakesDependencies = AppendRowsDependencies &
  ReadRowsDependencies &
  Dependencies<"teams" | "users" | "accessLog" | "lakeAppends">;

/** Grants of {@link appendToLakes}. */
export const appendToLakesAccess = grants(
  [getItem(teams), batchGetItem(users), queryItems(users, "team_users"), putItem(accessLog)],
  [queryItems(chunks), queryItems(summaries), queryItems(summaries, "by_day"), ...userKeyAccess],
  [batchGetItem(outbox)],
  [getItem(lakeTables), putItem(lakeTables), batchGetItem(lakeUsers), putItem(lakeUsers)],
  [getObject(lake), putObject(lake), deleteObject(lake), sendMessage(lakeAppends)],
);

/** Rows after which a commit follows, which bounds memory. */
const ROWS_PER_COMMIT = 100_000;

interface Failure<D> {
  readonly delivery: D;
  readonly error: unknown;
}

/**
 * Appends what messages name to the lakes of their teams. Skips teams without a lake, and users who are deleted or
 * pending deletion. @returns the failed messages with their errors. A repeated message appends nothing again.
 */
export async function appendToLakes<D extends { readonly message: LakeMessage }>(
  deliveries: readonly D[],
  grant: (teamId: string) => TeamScope,
  deps: AppendToLakesDependencies,
): Promise<Failure<D>[]> {
  const failures: Failure<D>[] = [];
  for (const [teamId, some] of Map.groupBy(deliveries, ({ message }) => message.team_id)) {
    const messages = some.map(({ message }) => message);
    await appendToLake(messages, grant(teamId), deps).catch((error) => {
      failures.push(...some.map((delivery) => ({ delivery, error })));
    });
  }
  return failures;
}

async function appendToLake(messages: readonly LakeMessage[], scope: TeamScope, deps: AppendToLakesDependencies) {
  const settings = await deps.lakeTables.getSettings(scope);
  if (!settings?.enabled || !(await deps.teams.get(scope.teamId))) return;
  const ids = messages.flatMap((message) => ("user_id" in message && message.user_id) || []);
  const active = new Set((await deps.users.getMany(scope, [...new Set(ids)])).map(({ user_id }) => user_id));
  const pending = new PendingAppends(deps, scope);
  const isWanted = ({ user_id }: EventReference) => user_id === "" || active.has(user_id);
  await addEvents(deps, scope, messages.filter(isEvent).filter(isWanted), pending);
  for (const message of messages) {
    if (!("kind" in message)) continue;
    if (message.kind === "team") await requestUsers(deps, scope, message);
    else if (active.has(message.user_id)) await addOfUser(deps, scope, message, pending);
  }
  await pending.flush();
}

const isEvent = (message: LakeMessage): message is EventReference => !("kind" in message);

async function addEvents(
  deps: AppendToLakesDependencies,
  scope: TeamScope,
  events: readonly EventReference[],
  pending: PendingAppends,
): Promise<void> {
  for (const { event_id, user_id } of events) {
    await recordAccess(deps, scope, user_id, event_id, { event_id });
  }
  const rows = await readEventRows(deps, events);
  for (const event of events) {
    await pending.add(event.user_id, event.event_id, rows.get(eventIdentityKey(event)) ?? {});
  }
}

type OfUser = Extract<LakeMessage, { readonly kind: "batch" | "user" }>;

async function addOfUser(
  deps: AppendToLakesDependencies,
  scope: TeamScope,
  message: OfUser,
  pending: PendingAppends,
): Promise<void> {
  const { user_id } = message;
  if (message.kind === "batch") {
    const { receipt_id } = message;
    await recordAccess(deps, scope, user_id, receipt_id, { receipt_id });
    return pending.add(user_id, receipt_id, await readBatchRows(deps, scope, message));
  }
  const { enabled_at } = message;
  // The entry outlives the user, and names the user by the digest only. The id of the append goes with the user.
  const entryId = `earlier-${enabled_at}-${userDigest(scope.teamId, user_id)}`;
  await recordAccess(deps, scope, user_id, entryId, { enabled_at });
  return pending.add(user_id, `earlier-${enabled_at}-${user_id}`, await readUserRows(deps, scope, user_id));
}

function recordAccess(
  { accessLog }: AppendToLakesDependencies,
  scope: TeamScope,
  userId: string,
  id: string,
  target: Readonly<Record<string, string>>,
): Promise<void> {
  return recordServiceAccess(accessLog, scope, { operation: "appendToLake", id, userId, target });
}

/** Queues one message for each user of a team, who may have data from before the lake. */
async function requestUsers(
  { users, lakeAppends }: AppendToLakesDependencies,
  scope: TeamScope,
  { enabled_at }: Extract<LakeMessage, { readonly kind: "team" }>,
) {
  const ids = await users.listIds(scope);
  const messages = ids.map((user_id) => ({ kind: "user", team_id: scope.teamId, user_id, enabled_at }) as const);
  await lakeAppends?.sendAll(messages);
}

/** Gathers rows until a commit is worth it. */
class PendingAppends {
  readonly #deps: AppendRowsDependencies;
  readonly #scope: TeamScope;
  #appends: { readonly userId: string; readonly id: string; readonly rows: RowsByTable }[] = [];
  #rows = 0;

  constructor(deps: AppendRowsDependencies, scope: TeamScope) {
    this.#deps = deps;
    this.#scope = scope;
  }

  /** Adds rows under an id. A queue may deliver a message twice in one batch: rows of a known id change nothing. */
  async add(userId: string, id: string, rows: RowsByTable): Promise<void> {
    if (this.#appends.some((one) => one.id === id)) return;
    this.#appends.push({ userId, id, rows });
    this.#rows += Object.values(rows).reduce((total, some) => total + some.length, 0);
    if (this.#appends.length >= APPENDS_PER_COMMIT || this.#rows >= ROWS_PER_COMMIT) await this.flush();
  }

  async flush(): Promise<void> {
    const appends = this.#appends;
    this.#appends = [];
    this.#rows = 0;
    for (const name of lakeTableNames) {
      const ofTable = appends.map(({ userId, id, rows }): Append => ({ userId, id, rows: rows[name] ?? [] }));
      await appendRows(this.#deps, { scope: this.#scope, name }, ofTable);
    }
  }
}
