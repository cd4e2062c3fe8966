import * as z from "zod";
import { get, put, query, remove } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { accessHours, accessLog, auditChains, auditHours, auditLog } from "../../lib/contract/resources.ts";
import { sealDueHours } from "../../lib/runtime/audit/sealing.ts";
import { consume } from "../../lib/runtime/consume.ts";

/** Seals the entries of past hours in a hash chain, so that later changes are detectable (docs/audit.md). */
export const contract = consumer({
  operationId: "sealAccessLog",
  tag: "audit",
  summary: "Seal past hours of the access log and the audit log",
  trigger: { kind: "schedule", rate: { minutes: 60 } },
  message: z.unknown(),
  access: [
    // The keys of hours begin with the keys of their log, so a grant to read the log includes its hours.
    ...([query(accessLog), remove(accessHours)] as const),
    ...([query(auditLog), remove(auditHours)] as const),
    ...([get(auditChains), put(auditChains)] as const),
  ],
  timeoutS: 900,
});

export const handler = consume(contract, async ({ log }, uses) => {
  const { sealed, nextDueAt } = await sealDueHours(uses, log);
  return { sealed, next_due_at: nextDueAt ?? null };
});
