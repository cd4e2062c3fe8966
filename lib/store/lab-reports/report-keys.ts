import * as z from "zod";
import { labReports } from "../../contract/resources.ts";
import { type ReadReport, reportJob } from "../../domain/lab-reports/report-job.ts";
import { packed, unpack } from "../results/packed.ts";
import type { Key } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const prefix = ({ teamId }: TeamScope) => `${labReports.keyPrefix}${teamId}`;

/** Where a job is. */
export const jobKey = (scope: TeamScope, id: string): Key => ({ pk: `${prefix(scope)}#job#${id}`, sk: "job" });
/** How many jobs of the team are counted: in the one partition that its erasure deletes. */
export const countKey = (scope: TeamScope): Key => ({ pk: prefix(scope), sk: "count" });
/** Where the jobs of a user are listed, and those with results by the time at which they got them. */
export const listOf = (scope: TeamScope, userId: string): string => `${prefix(scope)}#of#${userId}`;
/** What the listings of all jobs, and of those with results, begin with; each ends with the id of the job. */
export const JOB = "job#";
export const RESULT = "result#";
export const idOf = (sk: string): string => sk.slice(sk.lastIndexOf("#") + 1);
export const listed = z.object({ sk: z.string() });

/** A job as it is stored, with what was read of its report. */
export const jobItem = reportJob
  .extend({ content: packed.optional() })
  .transform(({ content, ...job }) => ({ job, read: content && (unpack(content) as ReadReport) }));
export type StoredReport = z.output<typeof jobItem>;
