import { CorrectionRefused, correctReport } from "../../domain/lab-reports/correct-report.ts";
import { LoincSearch } from "../../domain/lab-reports/loinc-search.ts";
import { acceptedJob, type ReadReport, toWireJob } from "../../domain/lab-reports/report-job.ts";
import type { ParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import type { Acceptance } from "../../domain/lab-reports/wire-review.ts";
import { reportEvent } from "../../events/report-events.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { ReportAliasStore } from "../../store/lab-reports/report-aliases.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import { Conflict, ValidationFailed } from "../errors.ts";
import { labCatalogue } from "../lab-catalogue.ts";
import { isoNow } from "../ports.ts";
import type { ReviewCaller } from "./authenticate-review.ts";
import { reportNotFound } from "./finding-reports.ts";
import { requireReport } from "./showing-reports.ts";

/** Maximum aliases that one acceptance learns: a transaction has 100 writes. */
const MOST_LEARNED = 80;

interface AcceptingUses {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly labReports: Pick<LabReportStore, "get" | "endItems">;
  readonly reportAliases: Pick<ReportAliasStore, "putItem">;
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Accepts a report as corrected by a reviewer. One transaction writes the report, its event and the learned aliases.
 * @throws NotFound; Conflict if the report was accepted meanwhile; ValidationFailed for an invalid correction.
 */
export async function acceptReport(
  caller: ReviewCaller,
  acceptance: Acceptance,
  uses: AcceptingUses,
): Promise<ParsingJob> {
  const { scope } = caller;
  const { job, read, user } = await requireReport(caller, uses);
  if (job.status !== "pending_review" || job.version !== acceptance.version) throw over();
  const { data, aliases } = await correctedBy(read, acceptance);
  const after = acceptedJob(job);
  const accepted = { data, doubts: data.results.map(() => []) };
  const at = isoNow();
  const isActive = uses.users.requireActiveItem(scope, user.user_id);
  const learned = aliases.slice(0, MOST_LEARNED).map((alias) => uses.reportAliases.putItem(scope, alias));
  const told = uses.outbox.addItem(reportEvent(user, after, accepted), at);
  try {
    await uses.commit([isActive, ...uses.labReports.endItems(scope, job, after, accepted, at), told, ...learned]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw error.items.has(0) ? reportNotFound() : over();
  }
  return toWireJob(after, accepted);
}

const over = () => new Conflict("The report has already been accepted.");

async function correctedBy({ data }: ReadReport, acceptance: Acceptance) {
  try {
    return correctReport(data, acceptance, await loincSearch());
  } catch (error) {
    if (!(error instanceof CorrectionRefused)) throw error;
    throw ValidationFailed.at(["body", ...error.loc], error.message);
  }
}

let search: LoincSearch | undefined;

/** Loads the LOINC search. The first call builds it; later calls share it. */
export async function loincSearch(): Promise<LoincSearch> {
  search ??= new LoincSearch((await labCatalogue()).packed);
  return search;
}
