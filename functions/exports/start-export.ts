import { getItem, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { exportRuns } from "../../lib/contract/queues.ts";
import { exportJobs, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { exportMessage, toWireExport, wireExport } from "../../lib/domain/exports/export-job.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Sends the message again unless a run holds the lease: the first may be lost, or its run may have stopped. */
export const contract = endpoint({
  operationId: "startExport",
  method: "POST",
  path: "/v2/user/{user_id}/export",
  tag: "exports",
  summary: "Start an export of a user's data",
  description: [
    "Starts the export of all samples and summaries of a user into one zip file.",
    "It returns at once: poll `GET /v2/user/{user_id}/export/{export_id}` until the status is `done`.",
    "A second call while an export is in progress returns that export.",
    "The file has a Parquet table per timeseries, a JSON file per kind of summary, and a manifest with checksums.",
    "Streams of workouts and sleep, orders and events are not part of it.",
  ],
  auth: "team",
  keyScope: "read",
  params: userParams,
  query: noFields,
  response: wireExport,
  status: 202,
  errors: [UserNotFound],
  access: [getItem(users), putItem(exportJobs), getItem(exportJobs), sendMessage(exportRuns)],
});

export const handler = implement(contract, async ({ scope, params }, { users, exportJobs, exportRuns }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const now = ports().clock.now();
  const job = await exportJobs.getOrCreate(scope, params.user_id, ports().ids.uuid(), now);
  if ((job.lease_until ?? 0) <= now) await exportRuns.send(exportMessage.parse(job));
  return toWireExport(job);
});
