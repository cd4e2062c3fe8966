import * as z from "zod";
import { grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { connectDemoAccess, ensureDemoConnection } from "../../lib/services/connections/connect-demo.ts";
import { syncDemoPhone } from "../../lib/services/connections/phones/demo-phone.ts";
import { syncPartsAccess } from "../../lib/services/connections/phones/sync-phone.ts";
import { queueBatchAccess } from "../../lib/services/ingest/queue-batch.ts";
import { generateDemoBatches } from "../../lib/simulators/demo/demo-batches.ts";
import { hashToSeed } from "../../lib/simulators/demo/seed.ts";
import { splitIntoSyncParts } from "../../lib/simulators/demo/split-into-sync-parts.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";

/** Provider without an API: its phone sends the collected data. */
const PHONE_PROVIDER = "apple_health_kit";
/** Length of the history on the phone in days. */
const PHONE_HISTORY_DAYS = 30;

export const contract = endpoint({
  operationId: "connectDemoProvider",
  method: "POST",
  path: "/v2/link/connect/demo",
  tag: "link",
  summary: "Create a demo connection",
  description: [
    "Connects a user to a synthetic person, so that you can try the service without an account at a provider.",
    "The data takes the path of real data, with a history of 30 days.",
    "The call sends `provider.connection.created`, then `historical.data.<resource>.created` once the data is stored.",
    "For `apple_health_kit`, each call sends the last 30 days again; for others, a repeated call changes nothing.",
    "The other providers deliver new data only on `POST /v2/user/refresh/{user_id}`.",
    "In production, and for a user with a real connection, the answer is `not_possible`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({
    user_id: z.guid().toLowerCase(),
    provider: z.enum([PHONE_PROVIDER, "fitbit", "freestyle_libre", "oura"]),
  }),
  response: z.object({ success: z.boolean(), detail: z.string() }).meta({ id: "DemoConnectionStatus" }),
  errors: [UserNotFound, NotPossible],
  access: grants(connectDemoAccess, syncPartsAccess, queueBatchAccess),
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, work, body: { user_id, provider } }, deps) => {
  if (deployment().environment !== "sandbox") throw new NotPossible("Demo connections exist in the sandbox only.");
  const user = await ensureDemoConnection({ ...deps, demoProviders: loadDemoProviders }, scope, user_id, provider);
  if (provider === PHONE_PROVIDER) {
    const now = ports().clock.now();
    const collected = generateDemoBatches({ days: PHONE_HISTORY_DAYS, endMs: now, seed: hashToSeed(user_id) });
    await syncDemoPhone(
      deps,
      { scope, user, work: { spend: work.record } },
      splitIntoSyncParts(`demo ${now}`, collected),
    );
  }
  return { success: true, detail: "Demo connection created" };
});
