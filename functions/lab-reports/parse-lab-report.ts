import { check, get, keep, load, put, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { reportParses } from "../../lib/contract/queues.ts";
import { labReports, outbox, reportAliases, reportFiles, users } from "../../lib/contract/resources.ts";
import { PARSE_RUN_S, reportMessage } from "../../lib/domain/lab-reports/report-job.ts";
import { wholeReport } from "../../lib/labs/reports/whole-report.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { labCatalogue } from "../../lib/runtime/lab-catalogue.ts";
import { parseJob } from "../../lib/runtime/lab-reports/parsing.ts";
import { scanDetector } from "../../lib/runtime/lab-reports/scan-detector.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Parses a lab report. A lease admits one run at a time, and the next run replaces one that stopped. */
export const contract = consumer({
  operationId: "parseLabReport",
  tag: "lab-reports",
  summary: "Parse a lab report",
  trigger: { kind: "queue", queue: reportParses, batchSize: 1, maxConcurrency: 10 },
  message: reportMessage,
  access: [
    get(users),
    check(users),
    put(labReports),
    update(labReports),
    remove(labReports),
    query(reportAliases),
    load(reportFiles),
    keep(reportFiles),
    put(outbox),
  ],
  memoryMb: 3008,
  timeoutS: PARSE_RUN_S,
  detectsText: true,
});

export const handler = consume(contract, ({ message }, uses) =>
  parseJob(TeamScope.grant(message.team_id), message, {
    ...uses,
    catalogue: async () => (await labCatalogue()).packed,
    readReport: async (files, known) => wholeReport(await scanDetector())(files, known),
  }),
);
