import { percentile } from "../../../lib/cli/load/load-report.ts";
import { type BenchPart, median, rowUpTo } from "../bench-row.ts";
import type { RunningService } from "../running-service.ts";

const USER_COUNT = 10_000;
const CONCURRENT_CREATORS = 8;
const PAGE = 100;
const DEEP_PAGE = 50;
const ROUNDS = 30;
/** What a person does not notice, milliseconds (docs/console.md). */
const MOST_MS = 200;

const nameOf = (number: number) => `member-${String(number).padStart(5, "0")}`;
/** The value below which 95 of 100 lie. */
const p95 = (values: readonly number[]) =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.95,
  );

/** Creates users through the API, a few at a time. */
async function createUsers(service: RunningService): Promise<void> {
  let next = 0;
  const creator = async () => {
    while (next < USER_COUNT) await service.createUser(nameOf(next++));
  };
  await Promise.all(Array.from({ length: CONCURRENT_CREATORS }, creator));
}

/** Returns the cursor of a later page. */
async function cursorOf(service: RunningService, page: number): Promise<string> {
  let cursor = "";
  for (let at = 1; at < page; at++)
    cursor = (await service.call("GET", `/console/user_search?limit=${PAGE}&next_cursor=${cursor}`)).next_cursor;
  return cursor;
}

async function timesOf(service: RunningService, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    await service.call("GET", path);
    times.push(performance.now() - start);
  }
  // The first call starts the function.
  return times.slice(1);
}

/** Measures the list and the search of the console in a team of 10,000 users, beside the list with a total. */
export async function measureUserSearch(service: RunningService): Promise<BenchPart> {
  await createUsers(service);
  const deep = await cursorOf(service, DEEP_PAGE);
  const places = [
    ["first page", `limit=${PAGE}`, "offset=0"],
    [`page ${DEEP_PAGE}`, `limit=${PAGE}&next_cursor=${deep}`, `offset=${PAGE * (DEEP_PAGE - 1)}`],
    ["search that finds 100", `search=${nameOf(1_200).slice(0, -2)}`, "offset=0"],
    ["search that finds one", `search=${nameOf(7_777)}`, "offset=0"],
    ["search that finds nobody", "search=nobody", "offset=0"],
  ] as const;
  const rows = [];
  for (const [name, query, offset] of places) {
    const ours = await timesOf(service, `/console/user_search?${query}`);
    const whole = await timesOf(service, `/v2/user?${offset}&limit=${PAGE}`);
    rows.push(rowUpTo(`${name}, median`, MOST_MS, median(ours), median(whole), " ms"));
    rows.push(rowUpTo(`${name}, 95 of 100`, MOST_MS, p95(ours), p95(whole), " ms"));
  }
  return { title: `Users of the console, ${USER_COUNT.toLocaleString("en")} in the team, beside GET /v2/user`, rows };
}
