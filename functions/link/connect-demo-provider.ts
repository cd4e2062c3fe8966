import * as z from "zod";
import { ensureDemo } from "../../lib/connections/connecting-demo.ts";
import { syncDemoPhone } from "../../lib/connections/demo-phone.ts";
import { get, keep, put, query, seal, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { historyEnds, historyPulls, ingestion } from "../../lib/contract/queues.ts";
import {
  batches,
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  historicalPulls,
  outbox,
  providerAccounts,
  pullPreferences,
  receipts,
  syncParts,
  users,
} from "../../lib/contract/resources.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { demoBatches } from "../../lib/simulators/demo/demo-batches.ts";
import { phoneParts } from "../../lib/simulators/demo/phone-parts.ts";
import { seedOf } from "../../lib/simulators/demo/seed.ts";
import { demoProviders } from "../../lib/simulators/demo-providers.ts";

/** Provider without an API: its phone sends the collected data. */
const PHONE = "apple_health_kit";
/** Length of the history on the phone in days. */
const PHONE_DAYS = 30;

/** Connects a user to a simulated provider with synthetic data. The data takes the path of real data. Sandbox only. */
export const contract = endpoint({
  operationId: "connectDemoProvider",
  method: "POST",
  path: "/v2/link/connect/demo",
  tag: "link",
  summary: "Create a demo connection",
  auth: "team",
  params: nothing,
  query: nothing,
  body: z.object({
    user_id: z.guid().toLowerCase(),
    provider: z.enum([PHONE, "fitbit", "freestyle_libre", "oura"]),
  }),
  response: z.object({ success: z.boolean(), detail: z.string() }).meta({ id: "DemoConnectionStatus" }),
  errors: [UserNotFound, NotPossible],
  access: [
    ...([get(users), update(users), put(outbox), update(providerAccounts), put(connectionCredentials)] as const),
    ...([
      seal(credentialsKey, "connection"),
      get(pullPreferences),
      put(connectionPolls),
      put(historicalPulls),
    ] as const),
    ...([send(historyPulls), get(syncParts), put(syncParts), query(syncParts), send(historyEnds)] as const),
    ...([put(receipts), send(ingestion), keep(batches)] as const),
  ],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, work, body: { user_id, provider } }, uses) => {
  if (deployment().environment !== "sandbox") throw new NotPossible("Demo connections exist in the sandbox only.");
  await ensureDemo({ ...uses, demoProviders }, scope, user_id, provider);
  if (provider === PHONE) {
    const now = ports().clock.now();
    const collected = demoBatches({ days: PHONE_DAYS, endMs: now, seed: seedOf(user_id) });
    await syncDemoPhone(
      uses,
      { scope, userId: user_id, work: { spend: work.note } },
      phoneParts(`demo ${now}`, collected),
    );
  }
  return { success: true, detail: "Demo connection created" };
});
