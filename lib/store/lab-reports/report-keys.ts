import * as z from "zod";
import { labReports } from "../../contract/resources.ts";
import { type ReadReport, reportJob } from "../../domain/lab-reports/report-job.ts";
import { packed, unpack } from "../results/packed.ts";
import type { Key } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const prefix = ({ teamId }: TeamScope) => `${labReports.keyPrefix}${teamId}`;

/** Returns the key of a job. */
export const jobKey = (scope: TeamScope, id: string): Key => ({ pk: `${prefix(scope)}#job#${id}`, sk: "job" });
/** Returns the key of the team's job count, in the partition that the erasure of the team deletes. */
export const countKey = (scope: TeamScope): Key => ({ pk: prefix(scope), sk: "count" });
/** Returns the partition that lists a user's jobs, and jobs with results by their completion time. */
export const listOf = (scope: TeamScope, userId: string): string => `${prefix(scope)}#of#${userId}`;
/** Sort key prefixes of the lists of all jobs, and of jobs with results. Each sort key ends with the id of the job. */
export const JOB = "job#";
export const RESULT = "result#";
export const idOf = (sk: string): string => sk.slice(sk.lastIndexOf("#") + 1);
export const listed = z.object({ sk: z.string() });

/** A stored job with the content of its report. */
export const jobItem = reportJob
  .extend({ content: packed.optional() })
  .transform(({ content, ...job }) => ({ job, read: content && (unpack(content) as ReadReport) }));
export type StoredReport = z.output<typeof jobItem>;
