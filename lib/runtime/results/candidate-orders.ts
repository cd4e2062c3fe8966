import { currentLevel, wayOf } from "../../domain/orders/order-move.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { type CandidateOrder, hasNumber, plainName, reportedPatient } from "../../domain/results/match-report.ts";
import type { OrderStore } from "../../store/orders.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import type { Bucket } from "../bucket.ts";
import { loadPlacement } from "../orders/loading-placement.ts";

/** Stores of candidate orders. */
export interface CandidateUses {
  readonly orders: Pick<OrderStore, "get" | "holderOf" | "list" | "orderedBy">;
  readonly users: Pick<UserStore, "get">;
  readonly orderPlacements: Pick<Bucket, "load">;
}

/** Maximum candidate orders of one patient, newest first. */
const MOST_CANDIDATES = 20;

/**
 * Finds the orders with a number of the report, or else the orders of patients with the same name and date of birth.
 * @throws ReportRefused for a number of an order whose user is deleted, since no data of that user may be stored.
 */
export async function candidateOrders(
  scope: TeamScope,
  report: LabReport,
  uses: CandidateUses,
): Promise<CandidateOrder[]> {
  const byNumber = await Promise.all([
    report.requisition === null ? undefined : uses.orders.orderedBy(scope, report.requisition),
    report.sample_id === null ? undefined : uses.orders.holderOf(scope, report.sample_id),
  ]);
  const named = (await read(scope, byNumber, report, uses)).filter(({ order }) => hasNumber(order, report));
  if (named.some(({ isThere }) => !isThere)) throw unavailable();
  if (named.length > 0) return named.map(({ order }) => order);
  const found = await read(scope, await ordersOfPatient(scope, report, uses), report, uses);
  return found.flatMap(({ order, isThere }) => (isThere ? [order] : []));
}

/** The refusal of a report for an order of a deleted user. */
export const unavailable = () => new ReportRefused("This order cannot accept results now.");

async function ordersOfPatient(scope: TeamScope, { patient }: LabReport, { orders }: CandidateUses): Promise<string[]> {
  const name = plainName(`${patient.first_name ?? ""}${patient.last_name ?? ""}`);
  if (patient.dob === null || name === "") return [];
  const listed = await orders.list(scope, {});
  const alike = listed.filter(
    ({ patient_dob, patient_name }) => patient_dob === patient.dob && plainName(patient_name) === name,
  );
  return alike.slice(-MOST_CANDIDATES).map(({ order_id }) => order_id);
}

async function read(
  scope: TeamScope,
  ids: readonly (string | undefined)[],
  report: LabReport,
  uses: CandidateUses,
): Promise<{ order: CandidateOrder; isThere: boolean }[]> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  const records = await Promise.all(wanted.map((id) => uses.orders.get(scope, id)));
  return Promise.all(
    records
      .filter((record) => record !== undefined)
      .map(async (record) => ({
        order: await candidateOf(record, report, uses),
        isThere: (await uses.users.get(scope, record.order.user_id)) !== undefined,
      })),
  );
}

/** Converts an order for matching. Loads its account number only if the report has one to compare. */
async function candidateOf(
  { order, requisition, placement_key }: OrderRecord,
  report: LabReport,
  { orderPlacements }: CandidateUses,
): Promise<CandidateOrder> {
  const isCompared = report.account_number !== null && placement_key !== null;
  const placement = isCompared ? await loadPlacement(orderPlacements, placement_key) : undefined;
  return {
    order_id: order.id,
    user_id: order.user_id,
    order_transaction_id: order.order_transaction?.id ?? null,
    lab: order.lab_test.lab?.slug ?? "",
    account_number: placement?.account_number ?? null,
    way: wayOf(order),
    level: currentLevel(order),
    sample_id: order.sample_id,
    requisition,
    patient: reportedPatient(order),
    test_codes: (order.lab_test.markers ?? []).flatMap(({ provider_id }) => provider_id ?? []),
  };
}
