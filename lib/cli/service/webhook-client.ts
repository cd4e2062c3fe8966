import * as z from "zod";
import { type WireMessage, wireMessage } from "../../events/webhooks/webhook-message.ts";
import { wireWebhookTask } from "../../events/webhooks/webhook-task.ts";
import { CommandFailed } from "../frame/command-failed.ts";
import type { ManagementTarget } from "./management-target.ts";
import { ServiceClient } from "./service-client.ts";

const PAGE_SIZE = 100;

const endpointList = z.object({ data: z.array(z.object({ id: z.string(), url: z.string() })) });
const messagePage = z.object({ data: z.array(wireMessage), next_cursor: z.string().nullable() });

/** The routes of the management API about one webhook endpoint. Every method throws CommandFailed for a refusal. */
export class WebhookClient {
  readonly #client: ServiceClient;
  readonly #path: string;

  private constructor(client: ServiceClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  /** @param id of the endpoint; the only one by default. @throws CommandFailed if the team has none or several. */
  static async open({ baseUrl, managementKey, teamPath }: ManagementTarget, id?: string): Promise<WebhookClient> {
    const client = new ServiceClient(baseUrl, { "x-management-key": managementKey });
    const pathOf = (endpoint: string) => `${teamPath}/webhook/${encodeURIComponent(endpoint)}`;
    if (id !== undefined) return new WebhookClient(client, pathOf(id));
    const { data } = await client.call(endpointList, "GET", `${teamPath}/webhook`);
    const [only, ...others] = data;
    if (!only) throw new CommandFailed("The team has no webhook endpoint.");
    if (others.length > 0) {
      const list = data.map((endpoint) => `${endpoint.id} (${endpoint.url})`).join(", ");
      throw new CommandFailed(`The team has several webhook endpoints, set --webhook: ${list}.`);
    }
    return new WebhookClient(client, pathOf(only.id));
  }

  /** Yields the messages of the last 30 days, newest first. */
  async *messages(state?: string): AsyncGenerator<WireMessage> {
    const filter = state === undefined ? "" : `&status=${encodeURIComponent(state)}`;
    for (let cursor = ""; ; ) {
      const path = `${this.#path}/message?limit=${PAGE_SIZE}${filter}${cursor}`;
      const { data, next_cursor } = await this.#client.call(messagePage, "GET", path);
      yield* data;
      if (next_cursor === null) return;
      cursor = `&next_cursor=${encodeURIComponent(next_cursor)}`;
    }
  }

  resend({ event_id, user_id }: Pick<WireMessage, "event_id" | "user_id">): Promise<WireMessage> {
    const query = user_id === null ? "" : `?user_id=${encodeURIComponent(user_id)}`;
    const path = `${this.#path}/message/${encodeURIComponent(event_id)}/resend${query}`;
    return this.#client.call(wireMessage, "POST", path);
  }

  /** Starts the task that sends the events since an instant which the endpoint never received. */
  replayMissing(since: string) {
    return this.#client.call(wireWebhookTask, "POST", `${this.#path}/replay_missing`, JSON.stringify({ since }));
  }

  task(id: string) {
    return this.#client.call(wireWebhookTask, "GET", `${this.#path}/task/${encodeURIComponent(id)}`);
  }
}
