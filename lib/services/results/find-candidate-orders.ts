import { lowLevelStatus, workflowOf } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import {
  type CandidateOrder,
  givenNamesOf,
  hasReportedNumber,
  normalizeName,
  toReportedPatient,
} from "../../domain/results/match-report.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { OrderStore } from "../../store/orders/orders.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";
import { loadPlacement } from "../orders/load-placement.ts";

/** Stores of candidate orders. */
export type FindCandidateOrdersDependencies = {
  readonly orders: Pick<OrderStore, "get" | "findIdBySample" | "list" | "findIdByRequisition">;
  readonly users: Pick<UserStore, "get">;
  readonly orderPlacements: Pick<Bucket, "get">;
};

/** Maximum candidate orders of one patient, newest first. */
const MAX_CANDIDATES = 20;

/**
 * Finds the orders with a number of the report, or else the orders of patients with the same name and date of birth.
 * @throws ReportRefused for a number of an order whose user is deleted, since no data of that user may be stored.
 */
export async function findCandidateOrders(
  scope: TeamScope,
  report: LabReport,
  deps: FindCandidateOrdersDependencies,
): Promise<CandidateOrder[]> {
  const byNumber = await Promise.all([
    report.requisition === null ? undefined : deps.orders.findIdByRequisition(scope, report.requisition),
    report.sample_id === null ? undefined : deps.orders.findIdBySample(scope, report.sample_id),
  ]);
  const named = (await readCandidates(scope, byNumber, report, deps)).filter(({ order }) =>
    hasReportedNumber(order, report),
  );
  if (named.some(({ isThere }) => !isThere)) throw orderUnavailableError();
  if (named.length > 0) return named.map(({ order }) => order);
  const found = await readCandidates(scope, await findPatientOrders(scope, report, deps), report, deps);
  return found.flatMap(({ order, isThere }) => (isThere ? [order] : []));
}

/** The refusal of a report for an order of a deleted user. */
export const orderUnavailableError = () => new ReportRefused("This order cannot accept results now.");

async function findPatientOrders(
  scope: TeamScope,
  { patient }: LabReport,
  { orders }: FindCandidateOrdersDependencies,
): Promise<string[]> {
  const names = givenNamesOf(patient)
    .map((given) => `${given}${normalizeName(patient.last_name)}`)
    .filter((name) => name !== "");
  if (patient.dob === null || names.length === 0) return [];
  const listed = await orders.list(scope, {});
  const alike = listed.filter(
    ({ patient_dob, patient_name }) => patient_dob === patient.dob && names.includes(normalizeName(patient_name)),
  );
  return alike.slice(-MAX_CANDIDATES).map(({ order_id }) => order_id);
}

async function readCandidates(
  scope: TeamScope,
  ids: readonly (string | undefined)[],
  report: LabReport,
  deps: FindCandidateOrdersDependencies,
): Promise<{ order: CandidateOrder; isThere: boolean }[]> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  const records = await Promise.all(wanted.map((id) => deps.orders.get(scope, id)));
  return Promise.all(
    records
      .filter((record) => record !== undefined)
      .map(async (record) => ({
        order: await toCandidateOrder(record, report, deps),
        isThere: (await deps.users.get(scope, record.order.user_id)) !== undefined,
      })),
  );
}

/** Converts an order for matching. Loads its account number only if the report has one to compare. */
async function toCandidateOrder(
  { order, requisition, placement_key }: OrderRecord,
  report: LabReport,
  { orderPlacements }: FindCandidateOrdersDependencies,
): Promise<CandidateOrder> {
  const isCompared = report.account_number !== null && placement_key !== null;
  const placement = isCompared ? await loadPlacement(orderPlacements, placement_key) : undefined;
  return {
    order_id: order.id,
    user_id: order.user_id,
    order_transaction_id: order.order_transaction?.id ?? null,
    lab: order.lab_test.lab?.slug ?? "",
    account_number: placement?.account_number ?? null,
    way: workflowOf(order),
    level: lowLevelStatus(order),
    sample_id: order.sample_id,
    requisition,
    patient: toReportedPatient(order),
    test_codes: (order.lab_test.markers ?? []).flatMap(({ provider_id }) => provider_id ?? []),
  };
}
