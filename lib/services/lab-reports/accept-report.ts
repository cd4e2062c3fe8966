import { conditionCheckItem, getItem, grants, putItem } from "../../contract/access.ts";
import { labReports, outbox, reportAliases, users } from "../../contract/resources.ts";
import { CorrectionRefused, correctReport } from "../../domain/lab-reports/correct-report.ts";
import { LoincSearch } from "../../domain/lab-reports/names/loinc-search.ts";
import { type ReportContent, toAcceptedJob, toWireJob } from "../../domain/lab-reports/report-job.ts";
import type { ParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import type { Acceptance } from "../../domain/lab-reports/wire-review.ts";
import { labReportEvent } from "../../events/constructors/lab-report-events.ts";
import type { ReviewCaller } from "../../runtime/callers/authenticate-review.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { Conflict, ValidationFailed } from "../../runtime/errors.ts";
import { isoNow } from "../../runtime/ports.ts";
import { explainConditionFailed } from "../../store/condition-failed.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { ReportAliasStore } from "../../store/lab-reports/report-aliases.ts";
import type { UserStore } from "../../store/users/users.ts";
import { loadLabCatalogue } from "../lab-tests/lab-catalogue.ts";
import { reportNotFound } from "./find-report.ts";
import { requireReadReport } from "./load-review.ts";

/** Maximum aliases that one acceptance learns: a transaction has 100 writes. */
const MAX_LEARNED_ALIASES = 80;

type AcceptReportDependencies = Dependencies<"commit"> & {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly labReports: Pick<LabReportStore, "get" | "completeItems">;
  readonly reportAliases: Pick<ReportAliasStore, "putItem">;
  readonly outbox: Pick<OutboxStore, "appendItem">;
};

/** Grants of {@link acceptReport}. */
export const acceptReportAccess = grants(
  [getItem(users), conditionCheckItem(users), getItem(labReports), putItem(labReports)],
  [putItem(reportAliases), putItem(outbox)],
);

/**
 * Accepts a report as corrected by a reviewer. One transaction writes the report, its event and the learned aliases.
 * @throws NotFound; Conflict if the report was accepted or changed meanwhile; ValidationFailed for an invalid correction.
 */
export async function acceptReport(
  caller: ReviewCaller,
  acceptance: Acceptance,
  deps: AcceptReportDependencies,
): Promise<ParsingJob> {
  const { scope } = caller;
  const { job, read, user } = await requireReadReport(caller, deps);
  if (job.status !== "pending_review") throw alreadyAcceptedError();
  if (job.version !== acceptance.version) throw changedError();
  const { data, aliases } = await applyCorrections(read, acceptance);
  const after = toAcceptedJob(job);
  const accepted = { data, doubts: data.results.map(() => []) };
  const at = isoNow();
  const isActive = deps.users.requireActiveItem(scope, user.user_id);
  const learned = aliases.slice(0, MAX_LEARNED_ALIASES).map((alias) => deps.reportAliases.putItem(scope, alias));
  const appendedEvent = deps.outbox.appendItem(labReportEvent(user, after, accepted), at);
  const items = [
    isActive,
    ...deps.labReports.completeItems(scope, job, after, accepted, at),
    appendedEvent,
    ...learned,
  ];
  await explainConditionFailed(deps.commit(items), (failure) =>
    failure.items.has(0) ? reportNotFound() : alreadyAcceptedError(),
  );
  return toWireJob(after, accepted);
}

const changedError = () =>
  new Conflict("The report has changed since it was loaded, or `version` is wrong. Load the report again.");
const alreadyAcceptedError = () => new Conflict("The report has already been accepted.");

async function applyCorrections({ data }: ReportContent, acceptance: Acceptance) {
  try {
    return correctReport(data, acceptance, await loadLoincSearch());
  } catch (error) {
    if (!(error instanceof CorrectionRefused)) throw error;
    throw ValidationFailed.at(["body", ...error.loc], error.message);
  }
}

let search: LoincSearch | undefined;

/** Loads the LOINC search. The first call builds it; later calls share it. */
export async function loadLoincSearch(): Promise<LoincSearch> {
  search ??= new LoincSearch((await loadLabCatalogue()).packed);
  return search;
}
