import type { Answer, TestService } from "../../../../support/service.ts";
import { pageSamples, readGroupedPage } from "../../ingest/ingest-batch.ts";
import { FIRST_DAY, LAST_DAY } from "./fill-user.ts";
import { type Sheet, SheetBuilder, WHOLE } from "./sheet.ts";

type Body = Answer["body"];
const range = { start_date: FIRST_DAY, end_date: LAST_DAY };

/** Reads the sheet from the routes of the API. */
export async function readByApi(service: TestService, userId: string): Promise<Sheet> {
  const sheet = new SheetBuilder();
  const summaries = async (kind: string, list = kind): Promise<Body[]> =>
    (await service.call("GET", `/v2/summary/${kind}/${userId}?${new URLSearchParams(range)}`)).body[list];
  for (const { calendar_date, steps, heart_rate, source } of await summaries("activity")) {
    if (source.type !== "watch") continue;
    sheet.add("steps", calendar_date, steps);
    sheet.add("resting", calendar_date, heart_rate.resting_bpm);
  }
  for (const { calendar_date, total } of await summaries("sleep")) sheet.add("sleep", calendar_date, total);
  for (const { calendar_date, weight } of await summaries("body")) sheet.add("weight", calendar_date, weight);
  sheet.addHeartRates(await readSamples(service, userId, "heartrate"));
  sheet.addSamples("glucoseCount", "glucoseMean", await readSamples(service, userId, "glucose"));
  await addOrders(service, userId, sheet);
  return sheet.build();
}

async function readSamples(service: TestService, userId: string, resource: string) {
  const samples: { at: string; value: number }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = { ...range, ...(cursor === "" ? {} : { next_cursor: cursor }) };
    const page: Answer = await readGroupedPage(service, userId, resource, query);
    samples.push(...pageSamples(page).map(({ timestamp, value }) => ({ at: timestamp, value })));
    cursor = page.body.next_cursor;
  }
  return samples;
}

async function addOrders(service: TestService, userId: string, sheet: SheetBuilder): Promise<void> {
  const { orders } = (await service.call("GET", `/v3/orders?user_id=${userId}`)).body;
  const completed = orders.filter((order: Body) => order.status === "completed");
  sheet.add("completed", WHOLE, completed.length);
  sheet.add("open", WHOLE, orders.length - completed.length);
  for (const { id } of completed) {
    const { results } = (await service.call("GET", `/v3/order/${id}/result`)).body;
    for (const { value } of results) sheet.add("labGlucose", WHOLE, value);
  }
}
