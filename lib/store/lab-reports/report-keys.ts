import * as z from "zod";
import { labReports } from "../../contract/resources.ts";
import { type ReportContent, reportJob } from "../../domain/lab-reports/report-job.ts";
import { compressedJson, decompressJson } from "../compressed-json.ts";
import type { Key } from "../item.ts";
import type { TeamScope } from "../team-scope.ts";

const prefix = ({ teamId }: TeamScope) => `${labReports.keyPrefix}${teamId}`;

/** Returns the key of a job. */
export const jobKey = (scope: TeamScope, id: string): Key => ({ pk: `${prefix(scope)}#job#${id}`, sk: "job" });
/** Returns the key of the team's job count, in the partition that the erasure of the team deletes. */
export const countKey = (scope: TeamScope): Key => ({ pk: prefix(scope), sk: "count" });
/** Returns the partition that lists a user's jobs, and jobs with results by their completion time. */
export const userReportsPartition = (scope: TeamScope, userId: string): string => `${prefix(scope)}#of#${userId}`;
/** Sort key prefixes of the lists of all jobs, and of jobs with results. Each sort key ends with the id of the job. */
export const JOB_PREFIX = "job#";
export const RESULT_PREFIX = "result#";
export const jobIdOf = (sk: string): string => sk.slice(sk.lastIndexOf("#") + 1);
export const listedItem = z.object({ sk: z.string() });

/** A stored job with the content of its report. */
export const jobItem = reportJob
  .extend({ content: compressedJson.optional() })
  .transform(({ content, ...job }) => ({ job, read: content && (decompressJson(content) as ReportContent) }));
export type StoredReport = z.output<typeof jobItem>;
