import { conditionCheckItem, getItem, getObject, grants, putItem, queryItems } from "../../contract/access.ts";
import { labMessages, matchReviews, orderPlacements, orders, outbox, users } from "../../contract/resources.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import type { Team } from "../../domain/management/records.ts";
import { OrderTransitionRefused } from "../../domain/orders/lifecycle/order-transitions.ts";
import { digestMessage, isProgressReport, type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { type CandidateOrder, type MatchDecision, matchReport } from "../../domain/results/match-report.ts";
import { hasReport } from "../../domain/results/result-record.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import { ItemTooLarge } from "../../store/compressed-json.ts";
import { retryConditionFailed } from "../../store/condition-failed.ts";
import type { LabMessage } from "../../store/results/lab-messages.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { AppointmentWritesDependencies } from "../appointments/appointment-writes.ts";
import {
  type OrderChangeContext,
  type OrderChangePlan,
  syncAppointment,
  syncAppointmentAccess,
} from "../appointments/sync-appointment.ts";
import {
  type ChangeOrderDependencies,
  changeOrder,
  changeOrderAccess,
  type OrderChange,
} from "../orders/change-order.ts";
import { applyReport, applyReportAccess } from "./apply-report.ts";
import {
  type FindCandidateOrdersDependencies,
  findCandidateOrders,
  orderUnavailableError,
} from "./find-candidate-orders.ts";
import { matchReviewId, type OpenReviewDependencies, openReview } from "./open-review.ts";

/** A report with the number of its message. */
export interface IncomingReport {
  readonly report: LabReport;
  /** The laboratory's message number (HL7 MSH-10, FHIR bundle identifier). */
  readonly control: string;
}

/**
 * Outcome of a received report: `known` for a report received before, `progress` for one without values. `tasks` are to
 * schedule.
 */
export type ReportOutcome =
  | { readonly outcome: "known" | "progress" }
  | { readonly outcome: "stored"; readonly order_id: string; readonly tasks: readonly OrderTask[] }
  | { readonly outcome: "review"; readonly review_id: string };

/** Dependencies of receiving reports. */
export type ReceiveReportDependencies = ChangeOrderDependencies &
  FindCandidateOrdersDependencies &
  OpenReviewDependencies &
  Dependencies<"outbox" | "results" | "labMessages"> & {
    readonly orders: ChangeOrderDependencies["orders"] & FindCandidateOrdersDependencies["orders"];
    readonly users: OpenReviewDependencies["users"];
    /** These are absent if no order with an appointment can get a result. */
    readonly appointments?: AppointmentWritesDependencies["appointments"];
    readonly orderWork?: AppointmentWritesDependencies["orderWork"];
    readonly slots?: NonNullable<AppointmentWritesDependencies["slots"]>;
  };

/** Grants of {@link receiveReport} for orders without an appointment. */
export const receiveReportAccess = grants(
  [getItem(users), conditionCheckItem(users)],
  changeOrderAccess,
  queryItems(orders, "team_orders"),
  applyReportAccess,
  [putItem(matchReviews), getItem(labMessages), putItem(labMessages), putItem(outbox), getObject(orderPlacements)],
);

/** Grants of {@link receiveReport} for all orders. */
export const receiveAnyReportAccess = grants(receiveReportAccess, syncAppointmentAccess);

/** The team that receives reports. */
interface Receiver {
  readonly scope: TeamScope;
  readonly team: Team;
}

const MAX_ATTEMPTS = 10;

/**
 * Receives a report from any transport, as the result of its order or as a review. One transaction writes message,
 * order, result and events, so a repeated message changes nothing. A report that only states progress writes its
 * message alone. Retries on concurrent writes.
 * @throws ReportRefused for a message number of another message, an order of a deleted user, or a too large result.
 */
export async function receiveReport(
  receiver: Receiver,
  incoming: IncomingReport,
  deps: ReceiveReportDependencies,
): Promise<ReportOutcome> {
  const { report, control } = incoming;
  const message = { lab: report.lab, controlId: control, digest: digestMessage(report, control) };
  try {
    return await retryConditionFailed(() => receiveOnce(receiver, report, message, deps), MAX_ATTEMPTS);
  } catch (error) {
    if (error instanceof ItemTooLarge) throw new ReportRefused("The result is too large to store.");
    throw error instanceof NotFound ? orderUnavailableError() : error;
  }
}

async function receiveOnce(
  receiver: Receiver,
  report: LabReport,
  message: LabMessage,
  deps: ReceiveReportDependencies,
): Promise<ReportOutcome> {
  const { scope } = receiver;
  if (await isReceived(scope, message, deps)) return { outcome: "known" };
  if (isProgressReport(report)) {
    await deps.commit([deps.labMessages.recordItem(scope, message, ports().clock.now())]);
    return { outcome: "progress" };
  }
  const decision = matchReport(report, await findCandidateOrders(scope, report, deps));
  if (await hasReported(scope, report, decision.candidates, deps)) return { outcome: "known" };
  const [order] = decision.candidates;
  if (decision.code !== "match_sample_id" || !order) return storeReview(receiver, report, decision, message, deps);
  try {
    return await storeResult(receiver, report, order, message, deps);
  } catch (error) {
    if (!(error instanceof OrderTransitionRefused)) throw error;
    return storeReview(receiver, report, { ...decision, code: "wrong_collection" }, message, deps);
  }
}

/** Whether the message was received before. @throws ReportRefused if its number belongs to another message. */
async function isReceived(
  scope: TeamScope,
  message: LabMessage,
  { labMessages }: ReceiveReportDependencies,
): Promise<boolean> {
  const digest = await labMessages.getDigest(scope, message, ports().clock.now());
  if (digest === undefined || digest === message.digest) return digest !== undefined;
  throw new ReportRefused("Another message has already used this message number.");
}

/** Whether a candidate order already has this report, from another message. */
async function hasReported(
  scope: TeamScope,
  report: LabReport,
  candidates: readonly CandidateOrder[],
  { results }: ReceiveReportDependencies,
): Promise<boolean> {
  const known = await Promise.all(
    candidates.map(({ order_id: id, user_id }) =>
      results.get(scope, { id, user_id }).then((one) => hasReport(one, report)),
    ),
  );
  return known.includes(true);
}

async function storeResult(
  receiver: Receiver,
  report: LabReport,
  { order_id }: CandidateOrder,
  message: LabMessage,
  deps: ReceiveReportDependencies,
): Promise<ReportOutcome> {
  const { scope } = receiver;
  let agreed: OrderChangePlan | undefined;
  await changeOrder(receiver, order_id, deps, async (record, at, user) => {
    agreed = undefined;
    if (await isReceived(scope, message, deps)) return undefined;
    const applied = await applyReport(scope, record, report, at, deps);
    const items = [...applied.items, deps.labMessages.recordItem(scope, message, ports().clock.now())];
    agreed = await agree({ scope, record, user, at }, { ...applied, items }, deps);
    return agreed.change;
  });
  return agreed ? { outcome: "stored", order_id, tasks: agreed.tasks } : { outcome: "known" };
}

/** Extends the change of an order by that of its appointment. */
async function agree(
  changing: OrderChangeContext,
  change: OrderChange,
  { appointments, orderWork, ...deps }: ReceiveReportDependencies,
): Promise<OrderChangePlan> {
  if (!appointments || !orderWork) return { change, tasks: [] };
  return syncAppointment(changing, change, { ...deps, appointments, orderWork });
}

async function storeReview(
  { scope }: Receiver,
  report: LabReport,
  decision: MatchDecision,
  message: LabMessage,
  deps: ReceiveReportDependencies,
): Promise<ReportOutcome> {
  const id = matchReviewId(scope, message);
  const taken = deps.labMessages.recordItem(scope, message, ports().clock.now());
  await openReview(scope, { id, report, decision }, [taken], deps);
  return { outcome: "review", review_id: id };
}
