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
  [queryItems(chunks), queryItems(summaries), ...userKeyAccess, batchGetItem(outbox)],
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
  const isWanted = (userId: string) => userId === "" || active.has(userId);
  const events = messages.filter(
    (message): message is EventReference => !("kind" in message) && isWanted(message.user_id),
  );
  const eventRows = await readEventRows(deps, events);
  const pending = new PendingAppends(deps, scope);
  for (const event of new Map(events.map((one) => [eventIdentityKey(one), one])).values()) {
    await pending.add(event.user_id, event.event_id, eventRows.get(eventIdentityKey(event)) ?? {});
  }
  const ofUsers = messages.filter(
    (message) => "kind" in message && message.kind !== "team" && isWanted(message.user_id),
  );
  for (const message of ofUsers as readonly OfUser[]) {
    await pending.add(message.user_id, appendId(message), await readUserMessage(deps, scope, message));
  }
  await pending.flush();
  for (const message of messages)
    if ("kind" in message && message.kind === "team") await requestUsers(deps, scope, message);
}

type OfUser = Extract<LakeMessage, { readonly kind: "batch" | "user" }>;

/** Returns the id under which rows are appended once. */
const appendId = (message: OfUser) => (message.kind === "batch" ? message.receipt_id : `earlier-${message.enabled_at}`);

async function readUserMessage(
  deps: AppendToLakesDependencies,
  scope: TeamScope,
  message: OfUser,
): Promise<RowsByTable> {
  const { user_id: userId } = message;
  const id = appendId(message);
  const target = message.kind === "batch" ? { receipt_id: message.receipt_id } : { enabled_at: message.enabled_at };
  await recordServiceAccess(deps.accessLog, scope, { operation: "appendToLake", id, userId, target });
  return message.kind === "batch" ? readBatchRows(deps, scope, message) : readUserRows(deps, scope, userId);
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

  async add(userId: string, id: string, rows: RowsByTable): Promise<void> {
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
