import { isUploadExpired } from "../../domain/lab-reports/report-job.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { NotFound } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { StoredReport } from "../../store/lab-reports/report-keys.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Dependencies of finding a report. */
export type FindReportDependencies = {
  readonly users: Pick<UserStore, "get">;
  readonly labReports: Pick<LabReportStore, "get">;
};

/** Finds a report and its user. @throws NotFound for an unknown report, a deleted user, or an expired upload. */
export async function findReport(
  scope: TeamScope,
  id: string,
  { users, labReports }: FindReportDependencies,
): Promise<StoredReport & { readonly user: UserRecord }> {
  const found = await labReports.get(scope, id);
  if (!found || isUploadExpired(found.job, ports().clock.now())) throw reportNotFound();
  const user = await users.get(scope, found.job.user_id);
  if (!user) throw reportNotFound();
  return { ...found, user };
}

/** The error for an unknown or deleted job. */
export const reportNotFound = () => new NotFound("There is no parsing job with this id.");
