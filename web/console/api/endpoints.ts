import { askEnvironment } from "./management.ts";
import type { Endpoint } from "./webhooks.ts";

/** Settings of an endpoint that a person chooses. Null is none. */
export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  readonly filter_types: readonly string[] | null;
  readonly rate_limit: number | null;
  readonly format: string;
}

const at = (id: string, what = "") => `/webhook/${id}${what}`;

/** Creates an endpoint. @throws Problem for an address that the service does not reach. */
export const createEndpoint = (settings: EndpointSettings) =>
  askEnvironment<Endpoint>("/webhook", { method: "POST", body: settings });

/** Changes settings of an endpoint, or enables or disables it. */
export const updateEndpoint = (id: string, changes: Partial<EndpointSettings> & { readonly disabled?: boolean }) =>
  askEnvironment<Endpoint>(at(id), { method: "PATCH", body: changes });

/** Deletes an endpoint with its waiting messages. */
export const deleteEndpoint = (id: string) => askEnvironment<void>(at(id), { method: "DELETE" });

/** Retrieves the secret that signs the messages of an endpoint. */
export const getSecret = async (id: string) => (await askEnvironment<{ readonly key: string }>(at(id, "/secret"))).key;

/** Replaces the secret of an endpoint, and retrieves the new one. The old one signs as well for 24 hours. */
export async function rotateSecret(id: string): Promise<string> {
  await askEnvironment(at(id, "/secret/rotate"), { method: "POST" });
  return getSecret(id);
}

/** Custom headers of an endpoint. Values of sensitive ones are masked. */
export interface CustomHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly sensitive: readonly string[];
}

/** Retrieves the custom headers of an endpoint. */
export const getHeaders = (id: string, signal: AbortSignal) =>
  askEnvironment<CustomHeaders>(at(id, "/headers"), { signal });

/** Replaces all custom headers of an endpoint. */
export const setHeaders = (id: string, headers: Readonly<Record<string, string>>) =>
  askEnvironment<void>(at(id, "/headers"), { method: "PUT", body: { headers } });

/** A task that sends many messages again. */
export interface ReplayTask {
  readonly id: string;
  readonly state: string;
  readonly looked_at: number;
  readonly sent: number;
}

/** Sends the failed messages of a range again. @param until ISO 8601; undefined for now. */
export const recover = (id: string, since: string, until: string | undefined) =>
  askEnvironment<ReplayTask>(at(id, "/recover"), { method: "POST", body: { since, ...(until ? { until } : {}) } });

/** Sends the events since an instant that the endpoint has never received. */
export const replayMissing = (id: string, since: string) =>
  askEnvironment<ReplayTask>(at(id, "/replay_missing"), { method: "POST", body: { since } });

/** Retrieves the progress of a task. */
export const getTask = (id: string, taskId: string) => askEnvironment<ReplayTask>(at(id, `/task/${taskId}`));

/** Attempts of the whole team in one interval. */
export interface AttemptBar {
  readonly atMs: number;
  readonly delivered: number;
  readonly failed: number;
}

interface Matrix {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly values: readonly (readonly [number, string])[];
    }[];
  };
}

/** Counts the attempts at all endpoints of the team by interval. */
export async function getAttempts(interval: string, signal: AbortSignal): Promise<readonly AttemptBar[]> {
  const { data } = await askEnvironment<Matrix>(`/event_delivery_metric?interval=${interval}`, { signal });
  const valuesOf = (outcome: string) =>
    data.result.find(({ metric }) => Object.values(metric).includes(outcome))?.values ?? [];
  const failed = new Map(valuesOf("failed").map(([at, count]) => [at, Number(count)]));
  return valuesOf("delivered").map(([at, count]) => ({
    atMs: at * 1_000,
    delivered: Number(count),
    failed: failed.get(at) ?? 0,
  }));
}
