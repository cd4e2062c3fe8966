import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  ScanCommand,
  type ScanCommandOutput,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { handler as listEvents } from "../../../../functions/events/list-events.ts";
import { handler as relayEvents } from "../../../../functions/events/relay-events.ts";
import { handler as sweepEvents } from "../../../../functions/events/sweep-events.ts";
import { directoryTable, eventTable, usageTable } from "../../../../lib/contract/resources.ts";
import { generateApiKey } from "../../../../lib/crypto/api-key.ts";
import { newUser } from "../../../../lib/domain/users/user.ts";
import type { EventReference } from "../../../../lib/events/catalogue/envelope.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { removeFromFeed } from "../../../../lib/services/events/remove-from-feed.ts";
import { listUsageDays } from "../../../../lib/services/usage/list-usage-days.ts";
import { EventFeedStore } from "../../../../lib/store/events/event-feed.ts";
import { OutboxStore } from "../../../../lib/store/events/outbox.ts";
import type { ErasableItem } from "../../../../lib/store/events/outbox-items.ts";
import { ReceiptStore } from "../../../../lib/store/ingest/receipts.ts";
import { KeyStore } from "../../../../lib/store/management/keys.ts";
import { TeamStore } from "../../../../lib/store/management/teams.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../../lib/store/transaction.ts";
import { UsageStore } from "../../../../lib/store/usage/usage.ts";
import { UserStore } from "../../../../lib/store/users/users.ts";
import { startDynamodb } from "../../../support/dynamodb.ts";
import { invocation, requestEvent } from "../../support/handler-request.ts";
import { FakeEventBus } from "./fake-event-bus.ts";
import { InvocationGate } from "./invocation-gate.ts";

const ON = "2026-03-01T12:00:00.000Z";
/** The instant of every race, in epoch milliseconds. */
export const NOW_MS = Date.parse(ON);

/** A team with its key and the ids of its active users. */
export interface SeededTeam {
  readonly teamId: string;
  readonly key: string;
  readonly userIds: readonly string[];
}

/** One event as `GET /v2/events` returns it. */
export interface FeedEvent {
  readonly sequence: number;
  readonly event_id: string;
  readonly body: { readonly data: { readonly place: number } } | null;
}

const uuid = (place: number) => `7ea70000-0000-4000-8000-${String(place).padStart(12, "0")}`;

/** The real relay, sweeper and feed on the real engine, with a fake bus. The test controls the order of requests. */
export class RelayFixture {
  readonly gate = new InvocationGate();
  readonly bus = new FakeEventBus(this.gate);
  readonly outbox: OutboxStore;
  readonly feed: EventFeedStore;
  readonly receipts: ReceiptStore;
  readonly teams: readonly SeededTeam[];
  /** Log lines of the functions, kept out of the test output. */
  readonly log: string[] = [];
  /** Called with the writes of each committed transaction. */
  onCommitted: (items: readonly WriteItem[]) => void = () => {};
  /** Alters the writes of transactions, to prove that a test detects a relay without its conditions. */
  tamper: (items: readonly WriteItem[]) => readonly WriteItem[] = (items) => items;
  readonly #documents: DynamoDBDocumentClient;
  readonly #stops: (() => Promise<void> | void)[];

  private constructor(documents: DynamoDBDocumentClient, teams: readonly SeededTeam[], stop: () => Promise<void>) {
    this.#documents = documents;
    this.teams = teams;
    const table = new Table(documents, eventTable.name);
    this.outbox = new OutboxStore(table);
    this.feed = new EventFeedStore(table);
    this.receipts = new ReceiptStore(table);
    this.#stops = [stop, () => setPorts(undefined), this.#captureLog()];
    this.#stand(documents);
  }

  /** Starts the engine and seeds two teams with two users each. Call once per process. */
  static async open(): Promise<RelayFixture> {
    const dynamodb = await startDynamodb();
    Object.assign(process.env, { BUS_EVENTS: "bus", CHECK_RESPONSES: "1" });
    // Zero bytes instead of random bytes give no retry pauses.
    const ids = { uuid: () => uuid(0), bytes: (length: number) => Buffer.alloc(length) };
    setPorts({ clock: { now: () => NOW_MS }, ids });
    const table = new Table(dynamodb.documents, directoryTable.name);
    const teams = [await seed(table, 1), await seed(table, 2)];
    return new RelayFixture(dynamodb.documents, teams, dynamodb.stop);
  }

  /** Routes every request to the engine through the gate, except requests about teams, keys and users. */
  #stand(documents: DynamoDBDocumentClient): void {
    const send = documents.send.bind(documents);
    const pass = async (command: { readonly input: object }): Promise<unknown> => {
      if (JSON.stringify(command.input).includes(`"${directoryTable.name}"`)) return send(command as never);
      return this.gate.pass(command.constructor.name, async () => {
        if (!(command instanceof TransactWriteCommand)) return send(command as never);
        const TransactItems = [...this.tamper(command.input.TransactItems ?? [])];
        const answer = await send(new TransactWriteCommand({ ...command.input, TransactItems }) as never);
        this.bus.release();
        this.onCommitted(TransactItems);
        return answer;
      });
    };
    Object.assign(documents, { send: pass });
  }

  /** Delivers events to the relay as the stream does. @returns whether each was consumed. */
  async relay(references: readonly EventReference[]): Promise<boolean[]> {
    const Records = references.map((reference, place) => ({
      eventID: String(place),
      dynamodb: { SequenceNumber: String(place), NewImage: imageOf(reference) },
    }));
    const answer = await this.gate.invoke(() => relayEvents({ Records } as never, invocation));
    const { batchItemFailures } = answer as { batchItemFailures: { itemIdentifier: string }[] };
    return references.map((_, place) => !batchItemFailures.some((one) => one.itemIdentifier === String(place)));
  }

  async sweep(): Promise<void> {
    await this.gate.invoke(() => sweepEvents({} as never, invocation));
  }

  /** Reads one page of the feed. @returns undefined for a 503 response. */
  async list({ key }: SeededTeam, after: number, limit: number): Promise<FeedEvent[] | undefined> {
    const query = { after: String(after), limit: String(limit) };
    const event = requestEvent({ method: "GET", apiKey: key, query });
    const { statusCode, body = "" } = await this.gate.invoke(() => listEvents(event, invocation));
    if (statusCode === 503) return undefined;
    if (statusCode !== 200) throw new Error(`the feed answers ${statusCode}: ${body} ${this.log.at(-1)}`);
    return JSON.parse(body).events;
  }

  /** Erases a user's events as the last step of a deletion does. */
  async erase({ teamId }: SeededTeam, userId: string): Promise<void> {
    const scope = TeamScope.grant(teamId);
    const deps = { eventFeed: this.feed, receipts: this.receipts };
    const forget = (events: readonly ErasableItem[]) => removeFromFeed(deps, scope, userId, events);
    await this.gate.invoke(() => this.outbox.eraseUser(scope, userId, forget));
  }

  /** All items of the events table. */
  async readItems(): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const scan = new ScanCommand({ TableName: eventTable.name, ExclusiveStartKey });
      const page: ScanCommandOutput = await this.#documents.send(scan);
      items.push(...(page.Items ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return items;
  }

  /** The usage count of a team's events since the fixture opened. */
  async countedEvents(teamId: string): Promise<number> {
    const usage = new UsageStore(new Table(this.#documents, usageTable.name));
    const date = ON.slice(0, 10);
    const days = await listUsageDays({ usage, eventFeed: this.feed }, TeamScope.grant(teamId), {
      first: date,
      last: date,
    });
    return days.reduce((sum, { events = 0 }) => sum + events, 0);
  }

  /** Deletes all events. */
  async clear(): Promise<void> {
    const requests = (await this.readItems()).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
    for (let first = 0; first < requests.length; first += 25) {
      const RequestItems = { [eventTable.name]: requests.slice(first, first + 25) };
      await this.#documents.send(new BatchWriteCommand({ RequestItems }));
    }
    this.bus.clear();
    this.log.length = 0;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }

  #captureLog(): () => void {
    const { info, warn, error } = console;
    const keep = (line: string) => void this.log.push(line);
    Object.assign(console, { info: keep, warn: keep, error: keep });
    return () => void Object.assign(console, { info, warn, error });
  }
}

function imageOf(reference: EventReference): Record<string, { S?: string; N?: string }> {
  const entries = Object.entries(reference).map(([name, value]) => [
    name,
    typeof value === "number" ? { N: String(value) } : { S: value },
  ]);
  return Object.fromEntries(entries);
}

async function seed(table: Table, place: number): Promise<SeededTeam> {
  const { key, ...kept } = generateApiKey("sk_us", (length) => Buffer.alloc(length, place));
  const teamId = uuid(place);
  const scope = TeamScope.grant(teamId);
  const about = { org_id: "org", created_on: ON };
  const team = { team_id: teamId, ...about, name: "Race", region: "us", features: [] } as const;
  await commit(table.documents, new TeamStore(table).createItems({ ...team, features: [] }));
  const record = { ...kept, kind: "team", label: "race", created_at: ON, org_id: "org", team_ids: [teamId] } as const;
  await commit(table.documents, new KeyStore(table).createItems({ ...record, team_ids: [teamId] }));
  const userIds = [uuid(place * 10 + 1), uuid(place * 10 + 2)];
  for (const userId of userIds) {
    const user = newUser({ client_user_id: userId }, { userId, teamId }, ON);
    await commit(table.documents, [new UserStore(table).createItem(scope, user)]);
  }
  return { teamId, key, userIds };
}
