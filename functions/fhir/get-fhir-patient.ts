import * as z from "zod";
import { getItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userInfos, users } from "../../lib/contract/resources.ts";
import { exportQuery } from "../../lib/domain/fhir/bulk/export-request.ts";
import { toPatient } from "../../lib/domain/fhir/patient.ts";
import { wireResource } from "../../lib/domain/fhir/resources.ts";
import { parsePatient } from "../../lib/domain/fhir/search-query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  readUrlParameters,
  startBulkExport,
  startBulkExportAccess,
} from "../../lib/services/fhir/bulk/start-bulk-export.ts";
import { requireRead } from "../../lib/services/fhir/require-read.ts";
import { requireUser } from "../../lib/services/fhir/require-user.ts";

/** The id in the path that stands for the operation. An HTTP API cannot tell the two routes apart. */
const EXPORT = "$export";

export const contract = endpoint({
  operationId: "getFhirPatient",
  method: "GET",
  path: "/fhir/Patient/{id}",
  tag: "fhir",
  summary: "Retrieve a Patient, or start a bulk export of all",
  description: [
    "Returns a user as FHIR R4 Patient. The id of the Patient is the `user_id`, and the identifier is your own id.",
    "Name, contact, gender and address are present if your team stored user info.",
    "",
    "In place of an id, `$export` starts the bulk export of all patients, as `GET /fhir/Group/all/$export` does.",
    "It needs the header `Prefer: respond-async`, and responds 202 with the URL of the status in `content-location`.",
  ],
  auth: "team",
  params: z.object({
    id: z
      .string()
      .regex(/^(\$export|[A-Za-z0-9.-]{1,64})$/, "Not an id")
      .meta({ description: "Id of the resource, or `$export`" }),
  }),
  query: exportQuery,
  userParameters: { id: "user_id" },
  response: wireResource("Patient"),
  errors: [UserNotFound],
  access: grants([getItem(users), getItem(userInfos)], startBulkExportAccess),
});

export const handler = implement(contract, async (call, deps) => {
  const { scope, params } = call;
  if (params.id === EXPORT) return startBulkExport(call, readUrlParameters(call), deps);
  requireRead(call, "Patient", "r");
  const userId = parsePatient(params.id);
  if (!userId) throw new UserNotFound();
  const user = await requireUser(scope, userId, deps.users);
  return fhirAnswer(toPatient(user, await deps.userInfos.get(scope, userId)));
});
