import * as z from "zod";
import { get, keep, put, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { ingestion } from "../../lib/contract/queues.ts";
import { batches, outbox, receipts, users } from "../../lib/contract/resources.ts";
import { acceptBatch } from "../../lib/domain/acceptance.ts";
import type { UserRecord } from "../../lib/domain/user.ts";
import { connectionEvent } from "../../lib/events/connection-events.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { queueBatch } from "../../lib/runtime/ingestion.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import type { Uses } from "../../lib/runtime/uses.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { demoBatches } from "../../lib/simulators/demo/demo-batches.ts";
import { demoProviders } from "../../lib/simulators/demo/devices.ts";
import { seedOf } from "../../lib/simulators/demo/seed.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";
import type { TeamScope } from "../../lib/store/team-scope.ts";

/** Days of history that a demo connection delivers. */
const DEMO_DAYS = 30;

/** Connects a user to a simulated provider that delivers synthetic data on the same way as real data. Sandbox only. */
export const contract = endpoint({
  operationId: "connectDemoProvider",
  method: "POST",
  path: "/v2/link/connect/demo",
  tag: "link",
  summary: "Connect a user to a provider with synthetic data",
  auth: "team",
  params: nothing,
  query: nothing,
  body: z.object({ user_id: z.guid().toLowerCase(), provider: z.enum(demoProviders) }),
  response: z.object({ success: z.boolean(), detail: z.string() }).meta({ id: "DemoConnectionStatus" }),
  errors: [UserNotFound, NotPossible],
  access: [get(users), update(users), put(outbox), put(receipts), send(ingestion), keep(batches)],
  memoryMb: 1024,
});

/** Adds the connection and its event in one write. @throws UserNotFound when the user was deleted meanwhile. */
async function connect(
  { users, outbox, commit }: Uses<typeof contract.access>,
  scope: TeamScope,
  user: UserRecord,
  slug: string,
) {
  const now = isoNow();
  const connection = { created_on: now, status: "connected" as const, demo: true };
  const event = connectionEvent(user, providerSource(slug), connection);
  try {
    await commit([users.connectItem(scope, user.user_id, slug, connection), outbox.addItem(event, now)]);
  } catch (error) {
    throw error instanceof ConditionFailed ? new UserNotFound() : error;
  }
}

export const handler = implement(contract, async ({ scope, body }, uses) => {
  const { user_id, provider } = body;
  if (deployment().environment !== "sandbox") throw new NotPossible("Demo connections exist in the sandbox only.");
  const user = await uses.users.get(scope, user_id);
  if (!user) throw new UserNotFound();
  if (Object.values(user.connections).some(({ demo }) => !demo)) {
    throw new NotPossible("A user with a real connection can not have a demo connection.");
  }
  if (!user.connections[provider]) await connect(uses, scope, user, provider);
  const now = ports().clock.now();
  for (const raw of demoBatches({ provider, days: DEMO_DAYS, endMs: now, seed: seedOf(user_id) })) {
    await queueBatch(uses, scope, user_id, acceptBatch(raw, user, now), now);
  }
  return { success: true, detail: "Demo connection created" };
});
