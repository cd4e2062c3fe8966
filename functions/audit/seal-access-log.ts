import * as z from "zod";
import { deleteItem, getItem, grants, putItem, queryItems } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { accessHours, accessLog, auditChains, auditHours, auditLog } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { sealDueHours } from "../../lib/services/audit/seal-due-hours.ts";

/** Seals the entries of past hours in a hash chain, so that later changes are detectable (docs/audit.md). */
export const contract = consumer({
  operationId: "sealAccessLog",
  tag: "audit",
  summary: "Seal past hours of the access log and the audit log",
  trigger: { kind: "schedule", rate: { minutes: 60 } },
  message: z.unknown(),
  access: grants(
    // The keys of hours begin with the keys of their log, so a grant to read the log includes its hours.
    [queryItems(accessLog), deleteItem(accessHours)],
    [queryItems(auditLog), deleteItem(auditHours)],
    [getItem(auditChains), putItem(auditChains)],
  ),
  timeoutS: 900,
});

export const handler = consume(contract, async ({ log }, deps) => {
  const { sealed, nextDueAt } = await sealDueHours(deps, log);
  return { sealed, next_due_at: nextDueAt ?? null };
});
