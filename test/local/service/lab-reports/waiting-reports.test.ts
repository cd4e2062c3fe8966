import { DescribeTableCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { labTable } from "../../../../lib/contract/resources.ts";
import { TestService } from "../../../support/service.ts";
import { callInConsole, openConsole } from "../console/console-helpers.ts";
import { createEngineClient, scanAllItems } from "../support/stored-items.ts";
import { findResource } from "../users/open-stored-values.ts";
import {
  createTeamWithFeatures,
  knownRows,
  openReview,
  parseReport,
  reportPdf,
  unchangedRow,
} from "./report-helpers.ts";

interface Waiting {
  readonly job_id: string;
  readonly user_id: string;
  readonly client_user_id: string;
  readonly created_at: string;
}

let service: TestService;
let file: Buffer;
beforeAll(async () => {
  service = await TestService.start();
  file = await reportPdf(knownRows);
}, 120_000);
afterAll(() => service.stop());

const createTeam = (name: string) =>
  createTeamWithFeatures(service, name, ["lab_report_parsing", "lab_report_human_review"]);

async function submit(user_id: string, needs_human_review: boolean, key?: string): Promise<string> {
  const given = key === undefined ? {} : { key };
  return (await parseReport(service, { user_id, files: [file], needs_human_review, ...given })).id;
}

async function page(query = "", key = service.identity.api_key): Promise<{ data: Waiting[]; next: string | null }> {
  const { status, body } = await service.call("GET", `/lab_report/v1/waiting_reports${query}`, { key });
  expect([status, body.code]).toEqual([200, undefined]);
  return { data: body.data, next: body.next_cursor };
}

const waiting = async (key?: string) => (await page("", key)).data.map(({ job_id }) => job_id);

async function accept(id: string): Promise<void> {
  const { ask } = await openReview(service, id);
  const { body } = await ask("GET", "report");
  const { metadata, results } = body.data;
  const accepted = await ask("POST", "accept", { version: body.version, metadata, results: results.map(unchangedRow) });
  expect(accepted.body).toMatchObject({ status: "completed" });
}

describe("lab reports that wait for a review", () => {
  test("are listed with their user until a person accepts them; others are not", async () => {
    const user_id = await service.createUser("reviewed");
    const [id, done] = [await submit(user_id, true), await submit(user_id, false)];
    const { data } = await page();
    expect(data).toEqual([{ job_id: id, user_id, client_user_id: "reviewed", created_at: expect.any(String) }]);
    expect(data[0]?.job_id).not.toBe(done);
    await accept(id);
    expect(await waiting()).toEqual([]);
  });

  test("come in pages, all of them once, each page oldest first", { tags: "deep" }, async () => {
    const { key } = await createTeam("Many reports");
    const user_id = await service.createUser("with many", key);
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.push(await submit(user_id, true, key));
    expect(await waiting(key)).toEqual(ids);
    const found: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const read = await page(`?limit=2&next_cursor=${next}`, key);
      expect(read.data.length).toBeLessThanOrEqual(2);
      expect(read.data).toEqual(read.data.toSorted((one, other) => one.created_at.localeCompare(other.created_at)));
      found.push(...read.data.map(({ job_id }) => job_id));
      next = read.next;
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  test("of another team are not listed, nor by its cursor", { tags: "deep" }, async () => {
    const { key } = await createTeam("Other reports");
    const user_id = await service.createUser("of another team", key);
    for (let at = 0; at < 2; at++) await submit(user_id, true, key);
    expect(await waiting()).toEqual([]);
    const { next } = await page("?limit=1", key);
    const { status } = await service.call("GET", `/lab_report/v1/waiting_reports?limit=1&next_cursor=${next}`);
    expect(status).toBe(422);
  });

  test("leave the list with the deletion of their user, come back with its undo, and end with the erasure", {
    tags: "deep",
  }, async () => {
    const user_id = await service.createUser("deleted");
    const id = await submit(user_id, true);
    await service.call("DELETE", `/v2/user/${user_id}`);
    expect(await waiting()).toEqual([]);
    await service.call("POST", "/v2/user/undo_delete", { body: { user_id } });
    expect(await waiting()).toEqual([id]);
    await service.call("DELETE", `/v2/user/${user_id}`);
    await service.advance(8 * 86_400_000);
    expect(await waiting()).toEqual([]);
    for await (const { item } of scanAllItems(service)) expect(item.pk?.S).not.toContain(id);
  });

  test("are listed for a clinician, and not for support or a reader", async () => {
    const statusFor = async (role: string) => {
      const held = await openConsole(service, { key: service.identity.api_key, role });
      return (await callInConsole(service, held, "GET", "/lab_report/v1/waiting_reports")).status;
    };
    expect([await statusFor("clinician"), await statusFor("support"), await statusFor("reader")]).toEqual([
      200, 403, 403,
    ]);
  });
});

test("reports of a version without the index are listed after an upgrade", { tags: "deep" }, async () => {
  const user_id = await service.createUser("of an earlier version");
  const id = await submit(user_id, true);
  const client = createEngineClient(service);
  const { name: TableName } = findResource(service, "AWS::DynamoDB::Table", `Table${labTable.name}`);
  await client.send(
    new UpdateTableCommand({
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "reports_by_status" } }],
    }),
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  client.destroy();
  expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).not.toContain("reports_by_status");
  await service.stop({ keep: true });
  service = await TestService.start(service.data.path);
  expect(await waiting()).toContain(id);
});
