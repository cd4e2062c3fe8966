import { expect, test } from "vitest";
import {
  completeWindow,
  type HistoricalPull,
  historicalPull,
  newHistoricalPull,
  nextWindow,
  retryWindow,
  skipWindow,
} from "../../../lib/domain/connections/pulls/historical-pull.ts";

const NOW = "2026-05-20T12:00:00.000Z";
const name = { team_id: "t", user_id: "u", provider: "garmin", resource: "activity" };
const bounds = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };
const fresh = () => newHistoricalPull(name, { connectedOn: NOW, now: NOW, days: 90, bounds })!;
const endOf = (pull: HistoricalPull) => nextWindow(pull, 30)!.endMs;

test("a refused window does not end the pull of the other windows", () => {
  let pull = skipWindow(fresh(), endOf(fresh()), NOW);
  expect(pull).toMatchObject({ status: "in_progress", windows_skipped: 1, due_at: NOW });
  pull = skipWindow(pull, endOf(pull), NOW);
  pull = completeWindow(pull, endOf(pull), NOW);
  expect(pull).toMatchObject({ status: "success", error_details: null, windows_pulled: 1, windows_skipped: 2 });
});

test("a pull fails when every window is refused", () => {
  let pull = fresh();
  for (let window = 0; window < 3; window++) pull = skipWindow(pull, endOf(pull), NOW);
  expect(pull).toMatchObject({ status: "failure", error_details: "non_retriable_error", ended_at: NOW });
});

test("a pull skips a window after the last attempt and resets the attempts for the next window", () => {
  let pull = fresh();
  const first = endOf(pull);
  for (let attempt = 1; attempt <= 8; attempt++) {
    expect(endOf(pull)).toBe(first);
    pull = retryWindow(pull, first, Date.parse(NOW));
  }
  expect(pull).toMatchObject({ status: "in_progress", attempts: 0, windows_skipped: 1 });
  expect(pull.pulled_until).toBe(new Date(first).toISOString());
  for (const _ of [1, 2]) for (let attempt = 1; attempt <= 8; attempt++) pull = retryWindow(pull, endOf(pull), 0);
  expect(pull).toMatchObject({ status: "failure", error_details: "retry_quota_exhausted" });
});

test("a pull stored by an earlier version parses", () => {
  const { windows_pulled: _, windows_skipped: __, ...before } = fresh();
  expect(historicalPull.parse(before)).toMatchObject({ windows_pulled: 0, windows_skipped: 0 });
});
