import { describe, expect, test } from "vitest";
import { toCsv } from "../../../web/console/parts/csv.ts";
import { formatBytes } from "../../../web/console/parts/format-bytes.ts";
import { formatQuantity, nameProvider } from "../../../web/console/parts/numbers.ts";
import { addDays, formatAge, formatDuration, formatInstant, instantOf } from "../../../web/console/parts/time.ts";
import { historyOf } from "../../../web/console/views/user/history-words.ts";

test.each([
  ["accuchek_ble", "Accu-Chek (Bluetooth)"],
  ["freestyle_libre", "Freestyle Libre"],
  ["my_scale", "My scale"],
])("a source %s has the name of the API, or the words of its slug: %s", (slug, name) => {
  expect(nameProvider(slug)).toBe(name);
});

describe("times", () => {
  test("show the clock of the zone", () => {
    const ms = Date.UTC(2026, 0, 5, 23, 30, 5);
    expect(formatInstant(ms, "UTC")).toBe("2026-01-05 23:30:05");
    expect(formatInstant(ms, "Europe/Madrid")).toBe("2026-01-06 00:30:05");
  });

  test.each([
    ["Europe/Madrid", "2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["Europe/Madrid", "2026-03-30", "2026-03-29T22:00:00.000Z"],
    ["America/Los_Angeles", "2026-01-05", "2026-01-05T08:00:00.000Z"],
    ["Pacific/Auckland", "2026-01-05", "2026-01-04T11:00:00.000Z"],
  ])("a day of %s begins at its midnight: %s", (zone, date, instant) => {
    expect(new Date(instantOf(date, zone)).toISOString()).toBe(instant);
  });

  test("count days over a change of the clock, and say how long ago in words", () => {
    expect(addDays("2026-03-28", 2)).toBe("2026-03-30");
    expect(formatAge(0, 3 * 3_600_000)).toBe("3 hours ago");
    expect(formatDuration(27_300)).toBe("7 h 35 min");
  });
});

describe("numbers", () => {
  test("have their unit, which never breaks from them", () => {
    expect(formatQuantity(5.328, "mmol/L")).toBe("5.3\u00a0mmol/L");
    expect(formatQuantity(11_006.4, "count")).toBe("11,006");
    expect(formatQuantity(null, "bpm")).toBe("–");
    expect(formatBytes(1_234_567)).toBe("1.2\u00a0MB");
    expect(formatBytes(0)).toBe("0\u00a0B");
  });
});

test("CSV quotes what needs it, and no spreadsheet takes a text for a formula", () => {
  const rows = [["a", 'say "x"', "1,2", "=HYPERLINK(1)", "-1", -1, null]];
  expect(toCsv(rows)).toBe(`a,"say ""x""","1,2",'=HYPERLINK(1),'-1,-1,\r\n`);
});

test("a history says what it delivered, and counts no days of what has none", () => {
  expect(historyOf("sleep", 12)).toBe("history of 12 days with data");
  expect(historyOf("sleep", 1)).toBe("history of 1 day with data");
  expect(historyOf("sleep", 0)).toBe("the provider had no data");
  expect(historyOf("sleep", null)).toBe("history not complete");
  expect(historyOf("profile", 0)).toBe("complete; it has no days");
  expect(historyOf("device", null)).toBe("not complete");
});
