import * as z from "zod";
import type { UserRecord } from "../users/user.ts";
import type { ReportJob } from "./report-job.ts";

/** A lab report that waits for a review, as listed. */
export const wireWaitingReport = z
  .object({
    job_id: z.guid(),
    user_id: z.guid(),
    client_user_id: z.string(),
    created_at: z.iso.datetime({ offset: true }).describe("When the report was submitted"),
  })
  .meta({ id: "WaitingReport" });

/** Lists jobs with their users, oldest first. It leaves out jobs whose user is not among the users. */
export function toWaitingReports(
  jobs: readonly Pick<ReportJob, "id" | "user_id" | "created_at">[],
  users: readonly UserRecord[],
): z.output<typeof wireWaitingReport>[] {
  const names = new Map(users.map(({ user_id, client_user_id }) => [user_id, client_user_id]));
  return jobs
    .flatMap(({ id: job_id, user_id, created_at }) => {
      const client_user_id = names.get(user_id);
      return client_user_id === undefined ? [] : { job_id, user_id, client_user_id, created_at };
    })
    .sort((one, other) => one.created_at.localeCompare(other.created_at));
}
