// @module-tag share
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount } from "../../../support/depth.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";

const MINUTE = 60_000;
const FIRST = Date.UTC(2026, 4, 1);
const RANGE = { start_date: "2026-05-01", end_date: "2026-05-20" };
/** 16 KB within the JSON of a Lambda response, so that about 250 fill a page. */
const LONG = '"'.repeat(4_000);

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const sources = { apple_health_kit: "watch", oura: "ring" } as const;
type Provider = keyof typeof sources;
interface Note {
  readonly provider: Provider;
  readonly minute: number;
}

const keyOf = ({ provider, minute }: Note) => `${provider} ${FIRST + minute * MINUTE}`;

async function pushNotes(userId: string, notes: readonly Note[], text: string): Promise<void> {
  for (const provider of ["apple_health_kit", "oura"] as const) {
    const note = notes
      .filter((one) => one.provider === provider)
      .map(({ minute }) => ({ timestamp: new Date(FIRST + minute * MINUTE).toISOString(), value: text }));
    if (note.length > 0) await ingestBatch(service, userId, { note }, { provider, source_type: sources[provider] });
  }
}

/** Returns the keys of a page's samples in order. */
function keysOf(page: Awaited<ReturnType<typeof readGroupedPage>>): string[] {
  const groups = Object.entries<{ data: { timestamp: string }[] }[]>(page.body.groups);
  return groups.flatMap(([provider, entries]) =>
    entries.flatMap(({ data }) => data.map(({ timestamp }) => `${provider} ${Date.parse(timestamp)}`)),
  );
}

/** Reads all pages, with a callback after each. */
async function readAll(userId: string, resource: string, afterPage: (count: number) => Promise<void>) {
  const pages: string[][] = [];
  let next_cursor = "";
  do {
    const page = await readGroupedPage(service, userId, resource, { ...RANGE, next_cursor });
    expect(page.status).toBe(200);
    pages.push(keysOf(page));
    next_cursor = page.body.next_cursor;
    await afterPage(pages.length);
  } while (next_cursor);
  return pages;
}

test("samples that exist at the start are read exactly once while data arrives before, at and after a cursor", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("paged while written");
  const grid = Array.from({ length: 600 }, (_, index): Note => {
    return { provider: index % 2 === 0 ? "apple_health_kit" : "oura", minute: index * 3 };
  });
  for (const half of [grid.slice(0, 300), grid.slice(300)]) await pushNotes(userId, half, LONG);
  const stored = new Set(grid.map(keyOf));
  const note = fc.record({
    provider: fc.constantFrom<Provider[]>("apple_health_kit", "oura"),
    minute: fc.integer({ min: 0, max: 1_900 }),
  });
  const between = fc.array(fc.array(note, { maxLength: 12 }), { minLength: 5, maxLength: 5 });
  let insertions = 0;
  await fc.assert(
    fc.asyncProperty(between, async (arriving) => {
      const before = new Set(stored);
      const pages = await readAll(userId, "note", async (count) => {
        const notes = arriving[count - 1] ?? [];
        await pushNotes(userId, notes, `${LONG.slice(9)} ${insertions++}`);
        for (const one of notes) stored.add(keyOf(one));
      });
      const answered = pages.flat();
      expect(pages.length).toBeGreaterThan(2);
      expect(new Set(answered).size).toBe(answered.length);
      expect([...before].filter((key) => !answered.includes(key))).toEqual([]);
      expect(answered.filter((key) => !stored.has(key))).toEqual([]);
    }),
    { numRuns: chooseCount(2, 6), endOnFailure: true },
  );
  const atRest = await readAll(userId, "note", async () => {});
  expect(atRest.flat().sort()).toEqual([...stored].sort());
});

test("a page that ends within the leads of one instant continues there, and later leads do not shift it", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("leads");
  const at = (index: number) => new Date(FIRST + index * 5).toISOString();
  const send = (samples: readonly { index: number; type: string }[]) => {
    const electrocardiogram_voltage = samples.map(({ index, type }) => ({ timestamp: at(index), type, value: 0.1 }));
    return ingestBatch(service, userId, { electrocardiogram_voltage });
  };
  const read = (query = {}) => readGroupedPage(service, userId, "electrocardiogram_voltage", { ...RANGE, ...query });
  const leads = ["V2", "V4", "V6"];
  let sent = 0;
  for (const part of [0, 1, 2]) {
    const indexes = Array.from({ length: 2_400 }, (_, index) => 100 + part * 2_400 + index);
    sent += (await send(indexes.flatMap((index) => leads.map((type) => ({ index, type }))))).stored;
  }
  let first = await read();
  const leadsAtItsEnd = () => pageSamples(first).filter(({ timestamp }, _, all) => timestamp === all.at(-1)?.timestamp);
  // Each sample before the others moves the end of the page by one lead.
  for (let index = 0; index < 4 && leadsAtItsEnd().length === leads.length; index++) {
    sent += (await send([{ index, type: "V2" }])).stored;
    first = await read();
  }
  const [{ timestamp: lastAt = "" } = {}, ...others] = leadsAtItsEnd();
  expect(others.length).toBeLessThan(leads.length - 1);
  const lastIndex = (Date.parse(lastAt) - FIRST) / 5;
  const late = [...["V1", "V9"].map((type) => ({ index: lastIndex, type })), { index: 101, type: "V9" }];
  await send([...late, { index: lastIndex + 1, type: "V1" }]);
  const rest = pageSamples(await read({ next_cursor: first.body.next_cursor }));
  const kinds = rest.filter(({ timestamp }) => timestamp === lastAt).map((one) => "type" in one && one.type);
  expect(kinds).toEqual([...leads.slice(others.length + 1), "V9"]);
  expect(rest).toHaveLength(sent - pageSamples(first).length + 2);
});

test("a cursor continues after its page even if the samples there changed", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("changed under the cursor");
  const notes = Array.from({ length: 300 }, (_, minute): Note => ({ provider: "oura", minute }));
  await pushNotes(userId, notes, LONG);
  const pages = await readAll(userId, "note", (count) =>
    count === 1 ? pushNotes(userId, notes, "short") : Promise.resolve(),
  );
  expect(pages.flat()).toEqual(notes.map(keyOf));
});

test.each(["next_cursor", "cursor"])("a %s with another format or other content is refused", async (name) => {
  const userId = await service.createUser(`refused ${name}`);
  await pushNotes(userId, [{ provider: "oura", minute: 1 }], "short");
  for (const cursor of ["0", "null", "[]", "{}", "A".repeat(2_000), "é", "../..", `${"A".repeat(11)}W10`]) {
    const { status, body } = await readGroupedPage(service, userId, "note", { ...RANGE, [name]: cursor });
    expect([cursor, status, body.code]).toEqual([cursor, 422, "validation_failed"]);
  }
  const first = await readGroupedPage(service, userId, "note", { ...RANGE, [name]: "" });
  expect(pageSamples(first)).toHaveLength(1);
});
