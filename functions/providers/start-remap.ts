import * as z from "zod";
import { getItem, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { bulkWork } from "../../lib/contract/queues.ts";
import { remaps, users } from "../../lib/contract/resources.ts";
import { noFields, userParams, utcInstant } from "../../lib/contract/shared-schemas.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { type Remap, toRemapStep, toWireRemap, wireRemap } from "../../lib/domain/connections/raw-payloads/remap.ts";
import { Conflict, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

export const contract = endpoint({
  operationId: "startRemap",
  method: "POST",
  path: "/v2/raw_payloads/{user_id}/remap",
  tag: "providers",
  summary: "Map the kept payloads of a user again",
  description: [
    "Maps the kept payloads of one provider again with the current version of the service.",
    "It returns at once: poll `GET /v2/raw_payloads/{user_id}/remap` until the status is `done`.",
    "A dry run, the default, only counts: records that stay the same, change, are added or are gone.",
    "Otherwise the service stores what differs, under new receipts with the `remap_id`, and sends the usual events.",
    "Data that was received after a payload keeps its precedence over it.",
    "A second remap of the user while one runs returns `conflict`.",
  ],
  auth: "team",
  keyScope: "ingest",
  params: userParams,
  query: noFields,
  body: z.object({
    provider: knownProvider,
    resource: z
      .string()
      .min(1)
      .max(64)
      .nullish()
      .describe("Unit of data that was pulled; null for all, and for pushes"),
    received_since: utcInstant.nullish().describe("Only payloads received at or after this time"),
    dry_run: z.boolean().default(true),
  }),
  response: wireRemap,
  status: 202,
  errors: [UserNotFound, Conflict],
  access: [getItem(users), putItem(remaps), sendMessage(bulkWork)],
});

export const handler = implement(contract, async ({ scope, params, body }, { users, remaps, bulkWork }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const { provider, resource = null, received_since = null, dry_run } = body;
  const now = isoNow();
  const job: Remap = {
    ...{ id: ports().ids.uuid(), team_id: scope.teamId, user_id: params.user_id, status: "running" },
    ...{ provider, resource, received_since, dry_run, started_at: now, updated_at: now },
    ...{ step: 0, after: null, touched: [], pulls: 0, incomplete: 0, resources: {}, receipt_ids: [] },
  };
  if (!(await remaps.start(scope, job))) throw new Conflict("A remap of this user is running.");
  await bulkWork.send(toRemapStep(job));
  return toWireRemap(job);
});
