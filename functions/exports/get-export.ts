import * as z from "zod";
import { getItem, getObject } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { exportJobs, userExports, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { DOWNLOAD_URL_TTL_S, exportKey, toWireExport, wireExport } from "../../lib/domain/exports/export-job.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";

export const contract = endpoint({
  operationId: "getExport",
  method: "GET",
  path: "/v2/user/{user_id}/export/{export_id}",
  tag: "exports",
  summary: "Retrieve an export",
  description: [
    "Returns the status of an export, and when it is `done`, an address from which to download the file.",
    "Each call returns a new `download_url`; a download must begin within one minute of it.",
    "Anyone with the address can download the file, without a key, and you cannot revoke it.",
    "The file and the export are gone two days after its end; then the answer is `not_found`.",
    "The status `failed` is final: start a new export.",
  ],
  auth: "team",
  params: userParams.extend({ export_id: z.guid().toLowerCase() }),
  query: noFields,
  response: wireExport,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(exportJobs), getObject(userExports)],
});

export const handler = implement(contract, async ({ scope, params }, { users, exportJobs, userExports }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const now = ports().clock.now();
  const job = await exportJobs.get(scope, params.user_id, params.export_id, now);
  if (!job) throw new NotFound("There is no export with this id.");
  if (job.status !== "done") return toWireExport(job);
  const download_url = await userExports.signDownloadUrl(exportKey(job), now, DOWNLOAD_URL_TTL_S);
  return toWireExport(job, { download_url, expires_at: new Date(now + DOWNLOAD_URL_TTL_S * 1000).toISOString() });
});
