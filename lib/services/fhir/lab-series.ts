import * as z from "zod";
import { batchGetItem, getItem, grants, queryItems } from "../../contract/access.ts";
import { orders, results, users } from "../../contract/resources.ts";
import { type ReportedOrder, reportStatus, toDiagnosticReport } from "../../domain/fhir/diagnostic-report.ts";
import { requestStatus, toServiceRequest, toSpecimen } from "../../domain/fhir/lab-order.ts";
import type { FhirResource } from "../../domain/fhir/resources.ts";
import { toResultObservations } from "../../domain/fhir/result-observation.ts";
import type { LabResourceType } from "../../domain/fhir/search-query.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { toWireResult } from "../../domain/results/order-result.ts";
import { isFinalResult } from "../../domain/results/result-record.ts";
import type { OrderStore } from "../../store/orders/orders.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { listExpectedResults } from "../results/expected-results.ts";
import { type FoundResource, invalidPosition, type PagePosition, type Series } from "./fhir-page.ts";

/** Grants to search orders and results of a user. */
export const searchLabAccess = [getItem(users), queryItems(orders), batchGetItem(orders), getItem(results)] as const;
/** Grants to read one order with its result. */
export const requireLabAccess = grants(getItem(users), getItem(orders), getItem(results));

/** The team that reads orders and results of a user. */
export interface LabReader {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly orders: Pick<OrderStore, "listIdsByUser" | "getMany">;
  readonly results: Pick<ResultStore, "get">;
}

/** An order, and its result if the team may see it. */
export interface OrderWithResult {
  readonly order: Order;
  readonly reported: ReportedOrder | undefined;
}

/** Reads the result of an order. Teams see partial results only if they enabled them. */
export async function readReported(
  { scope, team, results }: Pick<LabReader, "scope" | "team" | "results">,
  order: Order,
): Promise<ReportedOrder | undefined> {
  const record = await results.get(scope, order);
  if (!record || !(isFinalResult(record) || team.settings.partial_webhooks_enabled)) return undefined;
  return { order, record, result: toWireResult(order, record, await listExpectedResults(order)) };
}

/** Converts an order to the resource of a type, with its status; undefined if it has none yet. */
export function toLabResource(type: LabResourceType, { order, reported }: OrderWithResult) {
  const converters = {
    ServiceRequest: () => ({ resource: toServiceRequest(order), status: requestStatus(order) }),
    DiagnosticReport: () =>
      reported && {
        resource: toDiagnosticReport(reported, toResultObservations(reported)),
        status: reportStatus(reported),
      },
    Specimen: () => withStatus(toSpecimen(order, reported?.result)),
  };
  return converters[type]();
}

const withStatus = (resource: FhirResource | undefined) => resource && { resource, status: "" };

/** Creation time and id of the last order, and the id of its last returned resource. */
const labPosition = z.tuple([z.string(), z.string(), z.string()]);

/** What a series reads of each order. */
interface LabReading {
  readonly needsResult: boolean;
  /** Returns the resources of an order that match, in a fixed order. */
  readonly resourcesOf: (found: OrderWithResult) => readonly FhirResource[];
}

/** A series over the orders of a user, oldest first. */
export function labSeries(name: string, reader: LabReader, userId: string, reading: LabReading): Series {
  return { name, read: (after) => readOrders(reader, userId, reading, after) };
}

async function* readOrders(
  reader: LabReader,
  userId: string,
  { needsResult, resourcesOf }: LabReading,
  position: PagePosition | undefined,
): AsyncGenerator<FoundResource> {
  const after = position && labPosition.safeParse(position).data;
  if (position && !after) throw invalidPosition();
  const [createdAt = "", orderId = "", lastId] = after ?? [];
  const ids = await reader.orders.listIdsByUser(reader.scope, userId);
  const keyOf = ({ created_at, id }: Pick<Order, "created_at" | "id">) => `${created_at}#${id}`;
  const all = (await reader.orders.getMany(reader.scope, ids)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const first = keyOf({ created_at: createdAt, id: orderId });
  for (const order of all.filter((one) => !after || keyOf(one) >= first)) {
    const found = resourcesOf({ order, reported: needsResult ? await readReported(reader, order) : undefined });
    // If the last resource is gone, those of its order come again.
    const returned = order.id === orderId ? found.findIndex(({ id }) => id === lastId) + 1 : 0;
    for (const resource of found.slice(returned))
      yield { resource, position: [order.created_at, order.id, resource.id] };
  }
}
