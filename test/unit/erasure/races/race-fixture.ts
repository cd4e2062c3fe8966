import { AsyncLocalStorage } from "node:async_hooks";
import { BatchWriteCommand, type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { resourceVariable } from "../../../../lib/contract/access.ts";
import {
  credentialsKey,
  directoryTable,
  reservations,
  userKeyTable,
  users,
} from "../../../../lib/contract/resources.ts";
import { generateApiKey } from "../../../../lib/crypto/api-key.ts";
import { Bucket } from "../../../../lib/runtime/aws/bucket.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { KeyStore } from "../../../../lib/store/management/keys.ts";
import { TeamStore } from "../../../../lib/store/management/teams.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { setBucketEnvironment } from "../../../support/bucket-environment.ts";
import { startDynamodb } from "../../../support/dynamodb.ts";
import { useUnwrappedUserKeys } from "../../../support/user-ciphers.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import type { Fault } from "../../support/step-scheduler.ts";
import type { DrawnId } from "./call-history.ts";
import { FakeStepFunctions, serveStepFunctions } from "./fake-step-functions.ts";
import { RequestGate } from "./request-gate.ts";
import { type StoredItem, storedItem } from "./stored-invariants.ts";
import { type ServiceCaller, UserServiceClient } from "./user-service-client.ts";

const TEAM_ID = "7ea70000-0000-4000-8000-000000000001";
const SEEDED_ON = "2026-01-01T00:00:00.000Z";

/** The environment of the service during a race: the order of requests, the clock and the ids. */
export interface RaceEnvironment {
  readonly awaitTurn: (step: string) => Promise<Fault | undefined>;
  readonly now: () => number;
  readonly uuid: () => string;
}

/** The real handlers on the real engine. The test controls the order of requests, the clock and the ids. */
export class RaceFixture {
  readonly stepFunctions = new FakeStepFunctions();
  readonly service: UserServiceClient;
  /** Log lines of the functions, kept out of the test output. */
  readonly log: string[] = [];
  readonly gate: RequestGate;
  readonly #documents: DynamoDBDocumentClient;
  readonly #drawing = new AsyncLocalStorage<DrawnId[]>();
  readonly #stops: (() => Promise<void> | void)[] = [];

  private constructor(asker: ServiceCaller) {
    this.service = new UserServiceClient(asker);
    this.#documents = asker.directory.documents;
    this.gate = new RequestGate(this.#documents);
  }

  /** Starts the engine and the fake Step Functions and seeds a team with a key. Call once per process. */
  static async open(): Promise<RaceFixture> {
    const dynamodb = await startDynamodb();
    // No race stores objects, but the erasure of a user lists all buckets.
    setBucketEnvironment();
    // Deleting a user signs the end of consents, of which no race has any.
    process.env[resourceVariable(credentialsKey)] = "unused";
    Object.assign(Bucket.s3, { send: async () => ({}) });
    useUnwrappedUserKeys();
    const table = new Table(dynamodb.documents, directoryTable.name);
    const apiKey = await seedTeam(table);
    const stage = new RaceFixture({ apiKey, scope: TeamScope.grant(TEAM_ID), directory: table });
    const server = await serveStepFunctions(stage.stepFunctions);
    stage.#stops.push(server.stop, dynamodb.stop, () => setPorts(undefined), stage.#captureLog());
    process.env.CHECK_RESPONSES = "1";
    return stage;
  }

  /** Applies the environment of a race and clears recorded state. */
  prepare({ awaitTurn, now, uuid }: RaceEnvironment): void {
    this.stepFunctions.beforeEach = awaitTurn;
    this.stepFunctions.clear();
    this.log.length = 0;
    this.gate.awaitTurn = awaitTurn;
    const draw = (): string => {
      const id = uuid();
      this.#drawing.getStore()?.push({ id, atMs: now() });
      return id;
    };
    const random = new SeededRandom(1);
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => random.integerBelow(256)));
    setPorts({ clock: { now }, ids: { uuid: draw, bytes } });
  }

  /** Runs the work and adds the ids that it generates to the list. */
  collectDrawnIds<T>(draws: DrawnId[], work: () => Promise<T>): Promise<T> {
    return this.#drawing.run(draws, work);
  }

  /** All stored users and reservations. */
  async readItems(): Promise<StoredItem[]> {
    const { Items = [] } = await this.#documents.send(
      new ScanCommand({ TableName: directoryTable.name, ConsistentRead: true }),
    );
    const isOfRace = ({ pk }: Record<string, unknown>) =>
      [users, reservations].some(({ keyPrefix }) => String(pk).startsWith(keyPrefix));
    return Items.filter(isOfRace).map((item) => storedItem.parse(item));
  }

  /** Deletes users, their keys and reservations. */
  async deleteItems(): Promise<void> {
    await this.#remove(directoryTable.name, await this.readItems());
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
  const { key, ...kept } = generateApiKey("sk_us", (length) => Buffer.alloc(length, 7));
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
