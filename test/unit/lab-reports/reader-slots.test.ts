import { afterAll, beforeAll, expect, test } from "vitest";
import { labTable } from "../../../lib/contract/resources.ts";
import { MAX_CONCURRENT_RUNS_PER_TEAM, PARSE_RUN_TIMEOUT_S } from "../../../lib/domain/lab-reports/report-job.ts";
import { LabReportStore } from "../../../lib/store/lab-reports/lab-reports.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.parse("2026-05-01T08:00:00Z");
const [busy, quiet] = [TeamScope.grant("busy"), TeamScope.grant("quiet")];

let dynamodb: TestDynamodb;
let store: LabReportStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  store = new LabReportStore(new Table(dynamodb.documents, labTable.name));
});
afterAll(() => dynamodb.stop());

test("a team gets a limited share of the readers under concurrency, and another team still gets one", async () => {
  const jobs = Array.from({ length: 10 }, (_, at) => `job ${at}`);
  const taken = await Promise.all(jobs.map((job) => store.acquireReader(busy, job, NOW)));
  const slots = taken.filter((slot) => slot !== undefined);
  expect(slots).toHaveLength(MAX_CONCURRENT_RUNS_PER_TEAM);
  expect(await store.acquireReader(quiet, "other", NOW)).toBeDefined();
  const [first] = slots;
  if (first) await store.releaseReader(busy, first);
  expect(await store.acquireReader(busy, "next", NOW)).toMatchObject({ place: first?.place });
  // A run that released its reader does not release another run's reader.
  if (first) await store.releaseReader(busy, first);
  expect(await store.acquireReader(busy, "one more", NOW)).toBeUndefined();
  expect(await store.acquireReader(busy, "one more", NOW + PARSE_RUN_TIMEOUT_S * 1000 + 60_000)).toBeDefined();
});
