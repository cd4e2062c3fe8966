import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { batchGetItem, grants, putItem, sendMessage } from "../../../contract/access.ts";
import { FHIR_MEDIA_TYPE } from "../../../contract/fhir-paths.ts";
import { exportRuns } from "../../../contract/queues.ts";
import { bulkExports, users } from "../../../contract/resources.ts";
import type { BulkExportMessage, ExportSelection } from "../../../domain/fhir/bulk/bulk-export.ts";
import {
  defaultExportTypes,
  type GivenParameters,
  ParameterRefused,
  parseExportRequest,
} from "../../../domain/fhir/bulk/export-request.ts";
import { mayRead, mayReadResults } from "../../../domain/fhir/resource-access.ts";
import { labResourceTypes, type PatientType } from "../../../domain/fhir/search-query.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { Forbidden, TooManyRequests, ValidationFailed } from "../../../runtime/errors.ts";
import { Answer } from "../../../runtime/http/answer.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { UserStore } from "../../../store/users/users.ts";
import { fhirUrl } from "../search-call.ts";

/** Grants of {@link startBulkExport}. */
export const startBulkExportAccess = [putItem(bulkExports), sendMessage(exportRuns)] as const;
/** Grants of {@link startBulkExport} with a body, which may name patients. */
export const startNamedExportAccess = grants([batchGetItem(users)], startBulkExportAccess);

/** A call of `$export`. */
interface ExportCall {
  readonly event: APIGatewayProxyEventV2;
  readonly scope: TeamScope;
  readonly scopes?: readonly string[] | undefined;
}

type StartDependencies = Dependencies<"bulkExports" | "exportRuns">;

/** Seconds after which a caller asks again for a place. */
const RETRY_AFTER_S = 30;

/** Delay of the message that runs an export whose start broke off: longer than a call of the API takes, seconds. */
const LOST_START_DELAY_S = 60;

/** The URL of the status of an export. */
export const exportUrl = (exportId: string): string => `${fhirUrl()}/bulk-export/${exportId}`;

/** The parameters of the URL of a call, by name. */
export const readUrlParameters = ({ event }: Pick<ExportCall, "event">): GivenParameters => {
  const given = [...new URLSearchParams(event.rawQueryString)];
  return new Map([...Map.groupBy(given, ([name]) => name)].map(([name, all]) => [name, all.map(([, text]) => text)]));
};

/** The users of which a body may name some. */
type NamedUsers = Pick<UserStore, "getMany">;

/**
 * Starts an export (HL7 FHIR Bulk Data Access, "Bulk Data Kick-off Request").
 * @param users finds the patients that the parameters name. Without it they may name none.
 * @throws ValidationFailed, Forbidden; TooManyRequests if the team has no place for another export.
 */
export async function startBulkExport(
  call: ExportCall,
  given: GivenParameters,
  deps: StartDependencies,
  users?: NamedUsers,
): Promise<Answer> {
  const { isLenient } = checkExportHeaders(call.event);
  const known = users ? given : new Map([...given].filter(([name]) => name !== "patient" || !isLenient));
  const selection = await selectExport(call, known, isLenient, users);
  const message = { export_id: ports().ids.uuid(), team_id: call.scope.teamId };
  // If this call breaks off, the caller learns no id. Then this message runs the export, which frees its place.
  await deps.exportRuns.send(message, { delayS: LOST_START_DELAY_S });
  await createExport(call, message, selection, deps);
  await deps.exportRuns.send(message);
  return new Answer("", { status: 202, headers: { "content-location": exportUrl(message.export_id) } });
}

/** Creates the export. @throws TooManyRequests if the team has no place for another one. */
async function createExport(
  { event, scope }: ExportCall,
  ids: BulkExportMessage,
  selection: ExportSelection,
  { bulkExports }: StartDependencies,
): Promise<void> {
  const created = await bulkExports.create(scope, {
    ...selection,
    ...ids,
    status: "running",
    request: `${baseUrl()}${event.rawPath}${event.rawQueryString ? `?${event.rawQueryString}` : ""}`,
    created_at: isoNow(),
    ...{ attempts: 0, tries: 0, users: 0, resources: 0, files: 0 },
  });
  if (created) return;
  const headers = { "retry-after": String(RETRY_AFTER_S) };
  throw new TooManyRequests("The team has as many exports in progress as it may have.", { headers });
}

const refuse = (name: string, reason: string) => ValidationFailed.at(["parameter", name], reason);

/** Checks the headers of a call of `$export`. @throws ValidationFailed */
function checkExportHeaders({ headers }: APIGatewayProxyEventV2): { isLenient: boolean } {
  const preferred = (headers.prefer ?? "").split(/[,;]/).map((part) => part.replaceAll(/\s/g, "").toLowerCase());
  if (!preferred.includes("respond-async")) throw refuse("Prefer", "An export needs the header Prefer: respond-async");
  const accepted = (headers.accept ?? FHIR_MEDIA_TYPE).split(",").map((range) => range.split(";")[0]?.trim());
  const isAccepted = accepted.some((range) => ["*/*", "application/*", FHIR_MEDIA_TYPE].includes(range ?? ""));
  if (!isAccepted) throw refuse("Accept", `An export needs the header Accept: ${FHIR_MEDIA_TYPE}`);
  return { isLenient: preferred.includes("handling=lenient") };
}

async function selectExport(
  call: ExportCall,
  given: GivenParameters,
  isLenient: boolean,
  users: NamedUsers | undefined,
): Promise<ExportSelection> {
  const { types: requested, ...selected } = parseParameters(given, isLenient);
  const isAllowed = (type: PatientType) => mayRead(call.scopes, type, "s");
  const types = (requested ?? defaultExportTypes).filter(isAllowed);
  if (types.length === 0 || (requested && types.length < requested.length))
    throw new Forbidden("The scopes of the credential do not include the types of this export.");
  const { user_ids } = selected;
  if (user_ids && !users) throw refuse("patient", "Only a body may name patients");
  const known = user_ids && (await users?.getMany(call.scope, user_ids))?.map(({ user_id }) => user_id);
  if (known && known.length < (user_ids?.length ?? 0) && !isLenient)
    throw refuse("patient", "Not a patient of the team");
  const has_results = mayReadResults(call.scopes) || types.some((type) => labResourceTypes.some((one) => one === type));
  return { ...selected, types, has_results, ...(known ? { user_ids: known } : {}) };
}

function parseParameters(given: GivenParameters, isLenient: boolean) {
  try {
    return parseExportRequest(given, isLenient);
  } catch (error) {
    throw error instanceof ParameterRefused ? refuse(error.parameter, error.message) : error;
  }
}
