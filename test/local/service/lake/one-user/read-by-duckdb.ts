import { readFileSync } from "node:fs";
import type { TestService } from "../../../../support/service.ts";
import { openInDuckdb } from "../lake-files.ts";
import { FIRST_DAY, LAST_DAY } from "./fill-user.ts";
import { type Sheet, SheetBuilder, type SheetRow, WHOLE } from "./sheet.ts";

/** The view `current_samples`, as docs/lake.md defines it. */
const CURRENT_SAMPLES =
  /```sql\n(CREATE VIEW current_samples[\s\S]*?)```/.exec(readFileSync("docs/lake.md", "utf8"))?.[1] ?? "";
const WEEK = `BETWEEN DATE '${FIRST_DAY}' AND DATE '${LAST_DAY}'`;

const samplesOf = (userId: string, resource: string) => `
  SELECT strftime(day, '%Y-%m-%d') AS day, count(*) AS n, min(value) AS lowest, max(value) AS highest, avg(value) AS mean
  FROM current_samples WHERE user_id = '${userId}' AND resource = '${resource}' AND day ${WEEK} GROUP BY day`;
const summariesOf = (userId: string, kind: string, path: string) => `
  SELECT strftime(day, '%Y-%m-%d') AS day, CAST(json_extract(body, '$.${path}') AS DOUBLE) AS value
  FROM summaries WHERE user_id = '${userId}' AND kind = '${kind}' AND day ${WEEK}
  AND (kind = 'body' OR source_type <> 'phone')
  QUALIFY row_number() OVER (PARTITION BY id ORDER BY version DESC, derivation DESC NULLS LAST) = 1`;
const ordersOf = (userId: string) => `
  SELECT count(*) FILTER (status = 'completed') AS completed, count(*) FILTER (status <> 'completed') AS open FROM (
    SELECT status FROM orders WHERE user_id = '${userId}'
    QUALIFY row_number() OVER (PARTITION BY order_id ORDER BY created_at DESC, version DESC) = 1)`;

const summaryFields: readonly (readonly [SheetRow, string, string])[] = [
  ["steps", "activity", "steps"],
  ["resting", "activity", "heart_rate.resting_bpm"],
  ["sleep", "sleep", "total"],
  ["weight", "body", "weight"],
];

/** Reads the sheet by SQL from the files of the lake. */
export async function readByDuckdb(service: TestService, userId: string): Promise<Sheet> {
  const sheet = new SheetBuilder();
  const lake = await openInDuckdb(service);
  try {
    await lake.rows(CURRENT_SAMPLES);
    for (const [row, kind, path] of summaryFields)
      for (const { day, value } of await lake.rows(summariesOf(userId, kind, path)))
        sheet.add(row, String(day), Number(value));
    for (const { day, n, lowest, highest, mean } of await lake.rows(samplesOf(userId, "heartrate"))) {
      sheet.add("heartrateCount", String(day), Number(n));
      sheet.add("heartrateMin", String(day), Number(lowest));
      sheet.add("heartrateMax", String(day), Number(highest));
      sheet.add("heartrateMean", String(day), Number(mean));
    }
    for (const { day, n, mean } of await lake.rows(samplesOf(userId, "glucose"))) {
      sheet.add("glucoseCount", String(day), Number(n));
      sheet.add("glucoseMean", String(day), Number(mean));
    }
    const [counts] = await lake.rows(ordersOf(userId));
    sheet.add("completed", WHOLE, Number(counts?.completed));
    sheet.add("open", WHOLE, Number(counts?.open));
  } finally {
    lake.close();
  }
  return sheet.build();
}
