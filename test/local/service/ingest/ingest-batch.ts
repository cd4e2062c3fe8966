import type { Answer, TestService } from "../../../support/service.ts";

/** Records by resource, as a sender submits them. */
export type BatchResources = Readonly<Record<string, readonly unknown[]>>;

/** Options of a batch besides its records. */
export interface BatchOptions {
  readonly provider?: string;
  readonly source_type?: string;
  readonly stage?: "daily" | "historical";
  readonly is_final?: boolean;
  readonly device?: { readonly id: string };
  readonly app?: { readonly id: string };
  /** Team API key; the first team's key by default. */
  readonly key?: string;
}

/** Sends a batch, by default from a watch of Apple HealthKit. */
export function sendBatch(
  service: TestService,
  userId: string,
  resources: BatchResources,
  about: BatchOptions = {},
): Promise<Answer> {
  const { key, ...batch } = about;
  const body = { provider: "apple_health_kit", source_type: "watch", ...batch, resources };
  return service.call("POST", `/v2/ingest/${userId}`, { body, ...(key === undefined ? {} : { key }) });
}

/** Sends a batch, waits until it is stored, and reads its receipt. */
export async function ingestBatch(
  service: TestService,
  userId: string,
  resources: BatchResources,
  about: BatchOptions = {},
) {
  const sent = await sendBatch(service, userId, resources, about);
  if (sent.status !== 202) throw new Error(`not taken: ${sent.status} ${JSON.stringify(sent.body)}`);
  await service.settle();
  const options = about.key === undefined ? {} : { key: about.key };
  return (await service.call("GET", `/v2/ingest/${userId}/${sent.body.receipt_id}`, options)).body;
}

/** Reads one page of grouped samples. */
export function readGroupedPage(
  service: TestService,
  userId: string,
  resource: string,
  query: Readonly<Record<string, string>>,
) {
  return service.call("GET", `/v2/timeseries/${userId}/${resource}/grouped?${new URLSearchParams(query)}`);
}

/** Returns the samples of all groups of a page, in the order of the groups. */
export function pageSamples(page: Answer): { timestamp: string; value: number }[] {
  if (page.status !== 200) throw new Error(`no page: ${page.status} ${JSON.stringify(page.body)}`);
  const groups: { data: { timestamp: string; value: number }[] }[][] = Object.values(page.body.groups);
  return groups.flat().flatMap(({ data }) => data);
}

/** Creates heart rates at a fixed interval. @param start ISO 8601. */
export function createHeartRates(start: string, count: number, everyMs = 1_000) {
  const first = Date.parse(start);
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(first + index * everyMs).toISOString(),
    value: 50 + (index % 100),
  }));
}
