import { expect, test } from "vitest";
import { between, pullAnswered, recordsOf } from "./answered-pull.ts";

const window = between("2026-05-01T00:00:00Z", "2026-05-08T00:00:00Z");
const startMs = Date.parse("2026-05-02T10:00:00Z");

const stravaActivity = (id: number) => ({
  ...{ id, name: "Run", sport_type: "Run", elapsed_time: 1000, moving_time: 900, distance: 1000 },
  ...{ start_date: "2026-05-02T10:00:00Z", start_date_local: "2026-05-02T12:00:00Z" },
});

test("Strava's list continues after a page that is shorter than requested, until an empty page", async () => {
  const pages = [[{ id: 1 }, { id: "two" }], [{ id: 3 }]];
  const { batches, requests, dropped } = await pullAnswered(["strava", "workouts"], window, (url) => {
    if (url.pathname.endsWith("/athlete/activities")) return pages[Number(url.searchParams.get("page")) - 1] ?? [];
    if (url.pathname.endsWith("/streams")) return new Response("{}", { status: 404 });
    return stravaActivity(Number(url.pathname.split("/").at(-1)));
  });
  expect(recordsOf(batches, "workouts").map(({ provider_id }) => provider_id)).toEqual(["1", "3"]);
  expect(requests.map(({ searchParams }) => searchParams.get("page")).filter(Boolean)).toEqual(["1", "2", "3"]);
  expect(dropped).toEqual(["activity"]);
});

test("Suunto's list continues after a full page with an unreadable workout", async () => {
  const workout = (place: number) => ({
    ...{ workoutKey: `key${place}`, activityId: 1, totalTime: 3600 },
    ...{ startTime: place === 5 ? null : startMs + place * 1000, stopTime: startMs + place * 1000 + 3_600_000 },
  });
  const all = Array.from({ length: 102 }, (_, place) => workout(place));
  const { batches, dropped } = await pullAnswered(["suunto", "workouts"], window, ({ pathname, searchParams }) => {
    if (pathname.endsWith("/fit")) return new Response("", { status: 404 });
    const offset = Number(searchParams.get("offset") ?? 0);
    return { payload: all.slice(offset, offset + 100) };
  });
  expect(recordsOf(batches, "workouts")).toHaveLength(101);
  expect(dropped).toEqual(["workout"]);
});
