import { fhirClients } from "../../contract/resources.ts";
import { type FhirClient, fhirClient } from "../../domain/fhir/smart/fhir-client.ts";
import { isConditionMet } from "../condition-failed.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const partition = (scope: TeamScope) => `${fhirClients.keyPrefix}${scope.teamId}`;
const clientKey = (scope: TeamScope, clientId: string) => ({ pk: partition(scope), sk: `client#${clientId}` });

/** SMART clients of a team, and the ids of their used assertions. */
export class FhirClientStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, clientId: string): Promise<FhirClient | undefined> {
    return this.#table.get(clientKey(scope, clientId), fhirClient);
  }

  /** Returns the clients of a team, by id. */
  list(scope: TeamScope): Promise<FhirClient[]> {
    const input = {
      KeyConditionExpression: "pk = :team AND begins_with(sk, :client)",
      ExpressionAttributeValues: { ":team": partition(scope), ":client": "client#" },
    };
    return Array.fromAsync(this.#table.queryAll(input, fhirClient));
  }

  /** @throws ConditionFailed if a client has this id. */
  create(scope: TeamScope, client: FhirClient): Promise<void> {
    const item = { ...clientKey(scope, client.client_id), ...client };
    return this.#table.put(item, { ConditionExpression: NOT_EXISTS });
  }

  /** Deletes a client. @returns false for an unknown id. */
  delete(scope: TeamScope, clientId: string): Promise<boolean> {
    const gone = this.#table.delete(clientKey(scope, clientId), { ConditionExpression: "attribute_exists(pk)" });
    return isConditionMet(gone);
  }

  /**
   * Uses up the id of an assertion.
   * @param digest SHA-256 of client and id. @param expiresAt when the assertion is invalid anyway, epoch seconds.
   * @returns false if it was used before.
   */
  useAssertion(scope: TeamScope, digest: string, expiresAt: number): Promise<boolean> {
    const item = { pk: partition(scope), sk: `assertion#${digest}`, expires_at: expiresAt };
    return isConditionMet(this.#table.put(item, { ConditionExpression: NOT_EXISTS }));
  }
}
