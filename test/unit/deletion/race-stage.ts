import { AsyncLocalStorage } from "node:async_hooks";
import { BatchWriteCommand, type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { directory, reservations, userKeyTable, users } from "../../../lib/contract/resources.ts";
import { makeApiKey } from "../../../lib/crypto/api-key.ts";
import { Bucket } from "../../../lib/runtime/bucket.ts";
import { usePorts } from "../../../lib/runtime/ports.ts";
import { TeamStore } from "../../../lib/store/identity.ts";
import { KeyStore } from "../../../lib/store/keys.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { startDynamodb } from "../../support/dynamodb.ts";
import { nameBuckets } from "../../support/s3.ts";
import { holdTeamKeys } from "../../support/user-seals.ts";
import { AskedService, type Asker } from "./asked-service.ts";
import { Chance } from "./chance.ts";
import type { Draw } from "./history.ts";
import { RecordedStates, serveStates } from "./recorded-states.ts";
import { RequestGate } from "./request-gate.ts";
import { type StoredItem, storedItem } from "./stored-rules.ts";
import type { Fault } from "./turns.ts";

const TEAM_ID = "7ea70000-0000-4000-8000-000000000001";
const SEEDED_ON = "2026-01-01T00:00:00.000Z";

/** The environment of the service during a race: the order of requests, the clock and the ids. */
export interface Surroundings {
  readonly turn: (step: string) => Promise<Fault | undefined>;
  readonly now: () => number;
  readonly uuid: () => string;
}

/** The real handlers on the real engine. The test controls the order of requests, the clock and the ids. */
export class RaceStage {
  readonly states = new RecordedStates();
  readonly service: AskedService;
  /** Log lines of the functions, kept out of the test output. */
  readonly log: string[] = [];
  readonly gate: RequestGate;
  readonly #documents: DynamoDBDocumentClient;
  readonly #drawing = new AsyncLocalStorage<Draw[]>();
  readonly #stops: (() => Promise<void> | void)[] = [];

  private constructor(asker: Asker) {
    this.service = new AskedService(asker);
    this.#documents = asker.directory.documents;
    this.gate = new RequestGate(this.#documents);
  }

  /** Starts the engine and the fake Step Functions and seeds a team with a key. Call once per process. */
  static async open(): Promise<RaceStage> {
    const dynamodb = await startDynamodb();
    // No race stores objects, but the erasure of a user lists all buckets.
    nameBuckets();
    Object.assign(Bucket.s3, { send: async () => ({}) });
    holdTeamKeys();
    const table = new Table(dynamodb.documents, directory.name);
    const apiKey = await seedTeam(table);
    const stage = new RaceStage({ apiKey, scope: TeamScope.grant(TEAM_ID), directory: table });
    const server = await serveStates(stage.states);
    stage.#stops.push(server.stop, dynamodb.stop, () => usePorts(undefined), stage.#captureLog());
    process.env.CHECK_RESPONSES = "1";
    return stage;
  }

  /** Applies the environment of a race and clears recorded state. */
  enter({ turn, now, uuid }: Surroundings): void {
    this.states.beforeEach = turn;
    this.states.clear();
    this.log.length = 0;
    this.gate.turn = turn;
    const draw = (): string => {
      const id = uuid();
      this.#drawing.getStore()?.push({ id, atMs: now() });
      return id;
    };
    const chance = new Chance(1);
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => chance.below(256)));
    usePorts({ clock: { now }, ids: { uuid: draw, bytes } });
  }

  /** Runs the work and adds the ids that it generates to the list. */
  drawingInto<T>(draws: Draw[], work: () => Promise<T>): Promise<T> {
    return this.#drawing.run(draws, work);
  }

  /** All stored users and reservations. */
  async stored(): Promise<StoredItem[]> {
    const { Items = [] } = await this.#documents.send(
      new ScanCommand({ TableName: directory.name, ConsistentRead: true }),
    );
    const isOfRace = ({ pk }: Record<string, unknown>) =>
      [users, reservations].some(({ keyPrefix }) => String(pk).startsWith(keyPrefix));
    return Items.filter(isOfRace).map((item) => storedItem.parse(item));
  }

  /** Deletes users, their keys and reservations. */
  async leave(): Promise<void> {
    await this.#remove(directory.name, await this.stored());
    const { Items = [] } = await this.#documents.send(new ScanCommand({ TableName: userKeyTable.name }));
    await this.#remove(userKeyTable.name, Items);
  }

  async #remove(table: string, items: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const requests = items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
    if (requests.length === 0) return;
    await this.#documents.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
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

async function seedTeam(table: Table): Promise<string> {
  const { key, ...kept } = makeApiKey("sk_us", (length) => Buffer.alloc(length, 7));
  const team = {
    team_id: TEAM_ID,
    org_id: "org",
    name: "Race",
    region: "us",
    created_on: SEEDED_ON,
    features: [],
  } as const;
  await commit(table.documents, new TeamStore(table).createItems({ ...team, features: [] }));
  const record = { ...kept, kind: "team" as const, label: "race", created_at: SEEDED_ON };
  await commit(table.documents, new KeyStore(table).createItems({ ...record, org_id: "org", team_ids: [TEAM_ID] }));
  return key;
}
