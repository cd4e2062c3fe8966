import { consumer } from "../../lib/contract/consumer.ts";
import { reportParses } from "../../lib/contract/queues.ts";
import { PARSE_RUN_TIMEOUT_S, reportMessage } from "../../lib/domain/lab-reports/report-job.ts";
import { reportExtractor } from "../../lib/labs/reports/report-extractor.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { parseReportJob, parseReportJobAccess } from "../../lib/services/lab-reports/parse-report-job.ts";
import { loadScanDetector } from "../../lib/services/lab-reports/scan-detector.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Parses a lab report. A lease admits one run at a time, and the next run replaces one that stopped. */
export const contract = consumer({
  operationId: "parseLabReport",
  tag: "lab-reports",
  summary: "Parse a lab report",
  trigger: { kind: "queue", queue: reportParses, batchSize: 1, maxConcurrency: 10 },
  message: reportMessage,
  access: parseReportJobAccess,
  memoryMb: 3008,
  timeoutS: PARSE_RUN_TIMEOUT_S,
  usesTextDetection: true,
});

export const handler = consume(contract, ({ message }, deps) =>
  parseReportJob(TeamScope.grant(message.team_id), message, {
    ...deps,
    catalogue: async () => (await loadLabCatalogue()).packed,
    readReport: async (files, basis) => reportExtractor(await loadScanDetector())(files, basis),
  }),
);
