import * as z from "zod";
import { endpointRates } from "../../contract/resources.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import type { Table } from "../table.ts";

/** Retention of the count of a past second. */
const KEPT_S = 3_600;

/** Counts attempts at an endpoint in each second. */
export class EndpointRateStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Counts one attempt in a second.
   * @param second epoch seconds.
   * @returns its number within the second, from 1.
   */
  async increment({ team_id, endpoint_id }: EndpointReference, second: number): Promise<number> {
    const key = { pk: `${endpointRates.keyPrefix}${team_id}#${endpoint_id}`, sk: String(second) };
    const item = await this.#table.update(key, {
      UpdateExpression: "SET expires_at = :expires ADD used :one",
      ExpressionAttributeValues: { ":one": 1, ":expires": second + KEPT_S },
    });
    return z.object({ used: z.number() }).parse(item).used;
  }
}
