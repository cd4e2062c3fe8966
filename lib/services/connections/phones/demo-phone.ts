import { ingestBody } from "../../../domain/ingest/ingest-body.ts";
import { type Phone, type SyncPhoneDependencies, syncPhone } from "./sync-phone.ts";

/** Header fields of a part from a simulated phone; the other fields are an ingest body. */
interface PhonePart {
  readonly sync_id: string;
  readonly part: number;
  readonly done: boolean;
}

/** Accepts the parts of a simulated phone in order, like those of a real signed-in phone. */
export async function syncDemoPhone(deps: SyncPhoneDependencies, phone: Phone, parts: readonly PhonePart[]) {
  for (const { sync_id, part, done, ...body } of parts) {
    const sent = { ...ingestBody.parse(body), sync_id, part, done, deleted: {} };
    await syncPhone(deps, phone, sent);
  }
}
