import { type DynamoDBDocumentClient, GetCommand, UpdateCommand, type UpdateCommandInput } from "@aws-sdk/lib-dynamodb";
import { oura } from "../../../lib/connectors/oura/oura.ts";
import { directoryTable } from "../../../lib/contract/resources.ts";
import type { ConnectionCredentials } from "../../../lib/domain/connections/connection-credentials.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";
import type {
  ConnectedUser,
  RefreshAccessDependencies,
} from "../../../lib/services/connections/oauth/refresh-access.ts";
import { ConnectionCredentialStore } from "../../../lib/store/connections/connection-credentials.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { startDynamodb } from "../../support/dynamodb.ts";

const scope = TeamScope.grant("7ea70000-0000-4000-8000-000000000001");
const userId = "7ea70000-0000-4000-8000-000000000002";
/** The connection of every run, to a provider that the test plays. */
export const connected: ConnectedUser = { scope, userId, connector: oura, demo: true };

const initial: ConnectionCredentials = {
  ...{ team_id: scope.teamId, user_id: userId, provider: oura.slug, demo: true },
  ...{ connected_on: "2026-01-01T00:00:00.000Z", client_id: "client", scopes: ["daily"] },
  access_ends_at: "2026-01-02T00:00:00.000Z",
  sealed: JSON.stringify({ access_token: "access-0", refresh_token: "refresh-0" }),
  version: 1,
};

/** The credentials of one connection on the real engine. The test controls the order of requests. */
export class CredentialsFixture {
  /** Waits for a turn. */
  awaitTurn: (step: string) => Promise<unknown> = async () => undefined;
  /** Alters a write, to prove that a test detects a store without its conditions. */
  tamper: (item: WriteItem) => WriteItem = (item) => item;
  readonly #store: ConnectionCredentialStore;
  readonly #documents: DynamoDBDocumentClient;
  readonly #stop: () => Promise<void>;
  #isPassing = false;

  private constructor(documents: DynamoDBDocumentClient, stop: () => Promise<void>) {
    this.#documents = documents;
    this.#stop = stop;
    this.#store = new ConnectionCredentialStore(new Table(documents, directoryTable.name));
    const send = documents.send.bind(documents);
    const pass = async (command: { readonly input: object }): Promise<unknown> => {
      if (this.#isPassing) return send(command as never);
      if (command instanceof GetCommand) await this.awaitTurn("read");
      if (!(command instanceof UpdateCommand)) return send(command as never);
      await this.awaitTurn(nameWrite(command.input.UpdateExpression));
      return send(new UpdateCommand(this.tamper({ Update: command.input } as WriteItem).Update as UpdateCommandInput));
    };
    Object.assign(documents, { send: pass });
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<CredentialsFixture> {
    const dynamodb = await startDynamodb();
    return new CredentialsFixture(dynamodb.documents, dynamodb.stop);
  }

  /** Stores the connection with expired access. */
  async reset(): Promise<void> {
    await this.#pass(() => commit(this.#documents, [this.#store.putItem(scope, initial)]));
  }

  /** Reads the stored credentials. */
  async read(): Promise<ConnectionCredentials> {
    return (await this.#pass(() => this.#store.get(scope, userId, oura.slug))) ?? initial;
  }

  /**
   * @param onApplication called before a caller gets the application, or sends a request to the provider.
   * @param exchange answers a request with this refresh token.
   */
  dependencies(
    onApplication: () => Promise<unknown>,
    exchange: (refreshToken: string) => Promise<Response>,
  ): RefreshAccessDependencies {
    const app = { clientId: "client", clientSecret: "secret" };
    const fetch = (_: string, { body }: { readonly body?: unknown }) =>
      exchange(new URLSearchParams(String(body)).get("refresh_token") ?? "");
    const demoProviders = async () => {
      await onApplication();
      return { app, fetch };
    };
    const credentials = { decrypt: async (text: string) => text, encrypt: async (text: string) => text };
    return { connectionCredentials: this.#store, credentials, demoProviders } as unknown as RefreshAccessDependencies;
  }

  async close(): Promise<void> {
    setPorts(undefined);
    await this.#stop();
  }

  /** Requests of the test itself take no turn. */
  async #pass<T>(work: () => Promise<T>): Promise<T> {
    this.#isPassing = true;
    return work().finally(() => {
      this.#isPassing = false;
    });
  }
}

const nameWrite = (expression = ""): string => {
  if (expression.startsWith("SET lease_until")) return "acquire";
  return expression.startsWith("REMOVE lease_until") ? "release" : "store";
};
