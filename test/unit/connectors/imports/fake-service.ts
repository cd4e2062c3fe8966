import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import * as z from "zod";
import { acceptBatch } from "../../../../lib/domain/ingest/accept-batch.ts";
import { toWireRejections } from "../../../../lib/domain/ingest/wire-rejections.ts";
import type { UserRecord } from "../../../../lib/domain/users/user.ts";

export const API_KEY = "sk_us_test";
export const USER_ID = "6b0c2a9e-6f0a-4c55-9a55-0d6f5f3f8f01";

const user: UserRecord = {
  user_id: USER_ID,
  team_id: "t",
  client_user_id: "c",
  created_on: "2024-01-01T00:00:00Z",
  lifecycle: "active",
  fallback_time_zone: { id: "UTC", source_slug: "manual", updated_at: "2024-01-01T00:00:00Z" },
  connections: {},
};
const body = z.object({
  provider: z.string(),
  source_type: z.string(),
  device: z.object({ id: z.string() }).optional(),
  app: z.object({ id: z.string() }).optional(),
  stage: z.enum(["daily", "historical"]),
  is_final: z.boolean(),
  resources: z.record(z.string(), z.array(z.unknown())),
});
/** An accepted sample, summary or stream. */
type Item = { readonly key?: string; readonly start?: number; readonly providerId?: string | null };
type Body = z.output<typeof body>;

/** Serves the routes that an import calls. Accepts batches with the production code and stores records in a map. */
export class FakeService {
  readonly bodies: Body[] = [];
  readonly stored = new Map<string, string>();
  readonly #receipts: { stored: number; updated: number; unchanged: number; rejected: unknown[]; asked: number }[] = [];
  /** Whether the first read of a receipt finds it pending. */
  isSlow = false;
  /** Records that the service accepts and then cannot store, as its receipts name them. */
  readonly unstored: { resource: string; index: number; reason: string }[] = [];
  /** Responses to return first, in order. */
  readonly faults: { status: number; headers?: Record<string, string> }[] = [];
  readonly server: Server = createServer(async (request, response) => {
    const fault = request.method === "POST" ? this.faults.shift() : undefined;
    const [status, answer] = fault ? [fault.status, {}] : await this.#answer(request);
    response.writeHead(status, { "content-type": "application/json", ...fault?.headers }).end(JSON.stringify(answer));
  });

  /** @returns the base URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage): Promise<[status: number, answer: unknown]> {
    const [, , kind, userId, receiptId] = (request.url ?? "").split("/");
    if (request.headers["x-service-api-key"] !== API_KEY) return [401, { code: "unauthorized" }];
    if (userId !== USER_ID) return [404, { code: "user_not_found" }];
    if (kind === "user") return [200, { user_id: USER_ID }];
    return request.method === "POST" ? this.#take(await json(request)) : this.#receipt(Number(receiptId));
  }

  #take(given: unknown): [status: number, answer: unknown] {
    const raw = body.parse(given);
    this.bodies.push(raw);
    const recorder = { device_id: raw.device?.id ?? null, app_id: raw.app?.id ?? null };
    const { batch, accepted, rejected: refused } = acceptBatch({ ...raw, ...recorder }, user, Date.UTC(2024, 5));
    const rejected = toWireRejections(refused);
    const detail = rejected.map(({ resource, index, field, reason, detail: msg }) => ({
      loc: ["body", "resources", resource, index, ...(field?.split(".") ?? [])],
      msg,
      type: reason,
    }));
    if (accepted === 0) return [422, { detail: detail.slice(0, 100) }];
    const receipt = { stored: 0, updated: 0, unchanged: 0, rejected: [] as unknown[], asked: 0 };
    const { samples, summaries, streams } = batch;
    const records = [samples, summaries, streams].flatMap((lists) => Object.entries<Item[]>(lists));
    for (const record of records.flatMap(([resource, list]) => list.map((item) => ({ resource, item })))) {
      const { key: summaryKey, providerId, start } = record.item;
      const id = summaryKey ?? start ?? providerId;
      const isIdentified = providerId !== undefined && providerId === id;
      const key = JSON.stringify([record.resource, raw.provider, raw.source_type, isIdentified ? null : recorder, id]);
      const before = this.stored.get(key);
      const content = JSON.stringify(record.item);
      this.stored.set(key, content);
      receipt[before === undefined ? "stored" : before === content ? "unchanged" : "updated"]++;
    }
    const late = this.unstored.splice(0).map((one) => ({ ...one, effect: "record_rejected", field: null, detail: "" }));
    receipt.stored -= late.length;
    receipt.rejected = [...rejected, ...late];
    this.#receipts.push(receipt);
    return [202, { receipt_id: String(this.#receipts.length - 1), accepted, rejected }];
  }

  #receipt(index: number): [status: number, answer: unknown] {
    const receipt = this.#receipts[index]!;
    const { asked, rejected, ...done } = receipt;
    receipt.asked++;
    const isPending = this.isSlow && asked === 0;
    const counts = isPending ? { stored: 0, updated: 0, unchanged: 0 } : done;
    const status = isPending ? "pending" : "done";
    return [200, { receipt_id: String(index), status, ...counts, rejected, event_ids: [] }];
  }
}
