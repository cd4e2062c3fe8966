import { afterEach, expect, test, vi } from "vitest";
import { listEarlierValues, type Order } from "../../../web/console/api/orders.ts";

afterEach(() => vi.unstubAllGlobals());

const orderOf = (id: string, interpretation: string | null) => ({ id, interpretation });

/** Answers with orders in pages, and with a result of one marker for each. @returns the pages that were read. */
function serve(orders: readonly ReturnType<typeof orderOf>[]): number[] {
  const pages: number[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    const { pathname, searchParams } = new URL(path, "http://localhost");
    const [, id] = /^\/v3\/order\/(\w+)\/result$/.exec(pathname) ?? [];
    if (id) {
      const metadata = { date_collected: `2026-01-0${id.length}`, date_reported: null };
      return Response.json({ metadata, results: [{ slug: "glucose", value: id.length, unit: "mg/dL" }] });
    }
    const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("size"))];
    pages.push(page);
    return Response.json({ orders: orders.slice((page - 1) * size, page * size), total: orders.length, page, size });
  });
  return pages;
}

const own = { id: "own", user_id: "user", created_at: "2026-02-01T00:00:00Z" } as Order;
const read = () => listEarlierValues(own, new AbortController().signal);
const waiting = (count: number) => Array.from({ length: count }, () => orderOf("waiting", null));

test("earlier values are those of the five newest results, however many orders without one lie between", async () => {
  const results = ["a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaa"].map((id) => orderOf(id, "normal"));
  const pages = serve([orderOf("own", "normal"), ...waiting(260), ...results]);
  const values = (await read()).get("glucose") ?? [];
  expect([values.map(({ value }) => value), pages]).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 3],
  ]);
});

test("the search for earlier results ends with the orders, and after a thousand of them", async () => {
  expect([serve(waiting(3)), (await read()).size]).toEqual([[1], 0]);
  const pages = serve(waiting(5_000));
  await read();
  expect(pages).toHaveLength(10);
});
