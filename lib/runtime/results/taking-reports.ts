import { sha256 } from "../../crypto/api-key.ts";
import type { Team } from "../../domain/identity.ts";
import { OrderMoveRefused } from "../../domain/orders/order-move.ts";
import { type LabReport, ReportRefused } from "../../domain/results/lab-report.ts";
import { type CandidateOrder, type MatchDecision, matchReport } from "../../domain/results/match-report.ts";
import { hasReport } from "../../domain/results/result-record.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { LabMessage, LabMessageStore } from "../../store/results/lab-messages.ts";
import { TooLarge } from "../../store/results/packed.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { changeOrder, type OrderUses } from "../changing-orders.ts";
import { NotFound } from "../errors.ts";
import { ports } from "../ports.ts";
import { type CandidateUses, candidateOrders, unavailable } from "./candidate-orders.ts";
import { openReview, type ReviewUses, reviewIdOf } from "./opening-reviews.ts";
import { afterReport } from "./result-change.ts";

/** A report with the number of its message. */
export interface IncomingReport {
  readonly report: LabReport;
  /** The laboratory's message number (HL7 MSH-10, FHIR bundle identifier). */
  readonly control: string;
}

/** Outcome of a received report; `known` for a report received before. */
export type Taken =
  | { readonly outcome: "known" }
  | { readonly outcome: "stored"; readonly order_id: string }
  | { readonly outcome: "review"; readonly review_id: string };

/** Dependencies of receiving reports. */
export interface TakingUses extends OrderUses, CandidateUses, ReviewUses {
  readonly orders: OrderUses["orders"] & CandidateUses["orders"];
  readonly users: ReviewUses["users"];
  readonly outbox: NonNullable<OrderUses["outbox"]>;
  readonly results: ResultStore;
  readonly labMessages: LabMessageStore;
}

/** The team that receives reports. */
interface Receiver {
  readonly scope: TeamScope;
  readonly team: Team;
}

const ATTEMPTS = 10;

/**
 * Receives a report from any transport, as the result of its order or as a review. One transaction writes message,
 * order, result and events, so a repeated message changes nothing. Retries on concurrent writes.
 * @throws ReportRefused for a message number of another message, an order of a deleted user, or a too large result.
 */
export async function takeReport(receiver: Receiver, incoming: IncomingReport, uses: TakingUses): Promise<Taken> {
  const { report, control } = incoming;
  const message = { lab: report.lab, control, digest: sha256(JSON.stringify(report)) };
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeOnce(receiver, report, message, uses);
    } catch (error) {
      if (error instanceof TooLarge) throw new ReportRefused("The result is too large to store.");
      if (error instanceof NotFound) throw unavailable();
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function takeOnce(receiver: Receiver, report: LabReport, message: LabMessage, uses: TakingUses): Promise<Taken> {
  const { scope } = receiver;
  if (await isTaken(scope, message, uses)) return { outcome: "known" };
  const decision = matchReport(report, await candidateOrders(scope, report, uses));
  if (await isInResult(scope, report, decision.candidates, uses)) return { outcome: "known" };
  const [order] = decision.candidates;
  if (decision.code !== "match_sample_id" || !order) return review(receiver, report, decision, message, uses);
  try {
    return await store(receiver, report, order, message, uses);
  } catch (error) {
    if (!(error instanceof OrderMoveRefused)) throw error;
    return review(receiver, report, { ...decision, code: "wrong_collection" }, message, uses);
  }
}

/** Whether the message was received before. @throws ReportRefused if its number belongs to another message. */
async function isTaken(scope: TeamScope, message: LabMessage, { labMessages }: TakingUses): Promise<boolean> {
  const digest = await labMessages.digestOf(scope, message, ports().clock.now());
  if (digest === undefined || digest === message.digest) return digest !== undefined;
  throw new ReportRefused("Another message has already used this message number.");
}

/** Whether a candidate order already has this report, from another message. */
async function isInResult(
  scope: TeamScope,
  report: LabReport,
  candidates: readonly CandidateOrder[],
  { results }: TakingUses,
): Promise<boolean> {
  const known = await Promise.all(
    candidates.map(({ order_id: id, user_id }) =>
      results.get(scope, { id, user_id }).then((one) => hasReport(one, report)),
    ),
  );
  return known.includes(true);
}

async function store(
  receiver: Receiver,
  report: LabReport,
  { order_id }: CandidateOrder,
  message: LabMessage,
  uses: TakingUses,
): Promise<Taken> {
  const { scope } = receiver;
  let isStored = false;
  await changeOrder(receiver, order_id, uses, async (record, at) => {
    isStored = !(await isTaken(scope, message, uses));
    if (!isStored) return undefined;
    const { order, items } = await afterReport(scope, record, report, at, uses);
    return { order, items: [...items, uses.labMessages.takeItem(scope, message, ports().clock.now())] };
  });
  return isStored ? { outcome: "stored", order_id } : { outcome: "known" };
}

async function review(
  { scope }: Receiver,
  report: LabReport,
  decision: MatchDecision,
  message: LabMessage,
  uses: TakingUses,
): Promise<Taken> {
  const id = reviewIdOf(scope, message);
  const taken = uses.labMessages.takeItem(scope, message, ports().clock.now());
  await openReview(scope, { id, report, decision }, [taken], uses);
  return { outcome: "review", review_id: id };
}
