import { ingestBody } from "../domain/ingest-body.ts";
import { type Phone, type SyncingUses, syncPhone } from "../runtime/linking/syncing.ts";

/** A part of what a simulated phone sends; the rest of it is a body like any other. */
interface PhonePart {
  readonly sync_id: string;
  readonly part: number;
  readonly done: boolean;
}

/** Takes what a simulated phone sends, part after part, as that of a real one that has signed in. */
export async function syncDemoPhone(uses: SyncingUses, phone: Phone, parts: readonly PhonePart[]) {
  for (const { sync_id, part, done, ...body } of parts) {
    const sent = { ...ingestBody.parse(body), sync_id, part, done, deleted: {} };
    await syncPhone(uses, phone, sent);
  }
}
