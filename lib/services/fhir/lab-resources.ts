import { effectiveRange } from "../../domain/fhir/effective.ts";
import type { Effective, FhirResource } from "../../domain/fhir/resources.ts";
import { meetsDates } from "../../domain/fhir/search-date.ts";
import { type LabResourceType, labResourceDates } from "../../domain/fhir/search-query.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Series } from "./fhir-page.ts";
import { type LabReader, labSeries, readReported, toLabResource } from "./lab-series.ts";
import { parseDates, parseTokenParameter } from "./observation-filter.ts";

/** A team that reads, with the scopes of its key. */
export interface Reader {
  readonly scope: TeamScope;
  readonly team: Team;
  /** Undefined for full access. */
  readonly scopes?: readonly string[] | undefined;
}

type Given = readonly string[] | undefined;
type LabQuery = Readonly<Partial<Record<"status" | (typeof labResourceDates)[LabResourceType], Given>>>;

/** A series of the resources of one type that match a query. @throws ValidationFailed for a malformed value. */
export function labResourceSeries(type: LabResourceType, reader: LabReader, userId: string, query: LabQuery): Series {
  const statuses = parseTokenParameter("status", query.status);
  const dates = parseDates(labResourceDates[type], query[labResourceDates[type]]);
  return labSeries(type, reader, userId, {
    needsResult: type !== "ServiceRequest",
    resourcesOf: (found) => {
      const { resource, status } = toLabResource(type, found) ?? {};
      if (!resource || !statuses.every((tokens) => tokens.some(({ code }) => code === status))) return [];
      return dates.length === 0 || isDated(resource, dates) ? [resource] : [];
    },
  });
}

/** Whether the time of a resource meets all conditions. A resource without a time meets none. */
function isDated(resource: FhirResource, dates: Parameters<typeof meetsDates>[0]): boolean {
  const { effectiveDateTime, authoredOn, collection } = resource as Effective & {
    authoredOn?: string;
    collection?: { collectedDateTime: string };
  };
  const at = effectiveDateTime ?? authoredOn ?? collection?.collectedDateTime;
  return at !== undefined && meetsDates(dates, effectiveRange({ effectiveDateTime: at }));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads an order of an active user with its result; undefined for an unknown id. */
export async function findOrder(
  { scope, team }: Reader,
  orderId: string,
  { orders, users, results }: Dependencies<"orders" | "users" | "results">,
) {
  const record = UUID.test(orderId) ? await orders.get(scope, orderId) : undefined;
  if (!record || !(await users.get(scope, record.order.user_id))) return undefined;
  return { order: record.order, reported: await readReported({ scope, team, results }, record.order) };
}

/** Reads the resource of an order. @throws NotFound for an unknown id, or if the order has no such resource yet. */
export async function requireLabResource(
  reader: Reader,
  type: LabResourceType,
  orderId: string,
  deps: Dependencies<"orders" | "users" | "results">,
): Promise<FhirResource> {
  const found = await findOrder(reader, orderId, deps);
  const resource = found && toLabResource(type, found)?.resource;
  if (!resource) throw new NotFound(`There is no ${type} with this id.`);
  return resource;
}
