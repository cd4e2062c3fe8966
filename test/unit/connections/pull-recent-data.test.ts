import { describe, expect, test, vi } from "vitest";
import type { PulledProvider, TimeWindow } from "../../../lib/connectors/connector.ts";
import type { ProviderClient } from "../../../lib/connectors/provider-client.ts";
import { ProviderRefused, ProviderUnavailable } from "../../../lib/connectors/provider-error.ts";
import { type ConnectionPoll, newConnectionPoll } from "../../../lib/domain/connections/pulls/connection-poll.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { Log } from "../../../lib/runtime/log.ts";
import { ports } from "../../../lib/runtime/ports.ts";
import {
  type PullRecentDataDependencies,
  pullRecentData,
} from "../../../lib/services/connections/pulls/pull-recent-data.ts";
import {
  type PullResourceDependencies,
  type PullRun,
  pullResource,
} from "../../../lib/services/connections/pulls/pull-resource.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const DAY_MS = 86_400_000;
const scope = TeamScope.grant("team");
const connectedOn = new Date(ports().clock.now() - 9.5 * DAY_MS).toISOString();
const made = newUser({ client_user_id: "ada" }, { userId: "user", teamId: "team" }, connectedOn);
const user = {
  ...made,
  connections: { fake: { created_on: connectedOn, status: "connected", external_user_id: "ada" } },
} as const;

/** Runs a pull of two resources in windows of three days. @param failing the error of a window, if any. */
async function run(failing: (resource: string, place: number) => Error | undefined, waitMs = 0) {
  const asked: string[] = [];
  let teamReads = 0;
  const connector = {
    slug: "fake",
    resources: ["sleep", "workouts"].map((name) => ({ name, delivers: [name], windowDays: 3, scopes: [] })),
    async *pull(resource: string, { startMs }: TimeWindow) {
      asked.push(resource);
      const error = failing(resource, asked.filter((one) => one === resource).length);
      if (error) throw error;
      expect(startMs).toBeGreaterThan(0);
    },
  } as unknown as PulledProvider;
  let kept: ConnectionPoll = newConnectionPoll(
    { team_id: "team", user_id: "user", provider: "fake" },
    connectedOn,
    connectedOn,
  );
  const deps = {
    users: { get: async () => user },
    teams: {
      get: async () => {
        teamReads++;
        return { limits: { work_per_second: 10 }, features: [] };
      },
    },
    rawPayloads: new Proxy({}, { get: () => expect.unreachable("the team keeps no payloads") }),
    usage: { chargeWork: async () => waitMs },
    connectionCredentials: { get: async () => ({ scopes: [] }) },
    connectionPolls: {
      replace: async (_: TeamScope, __: ConnectionPoll, next: ConnectionPoll) => {
        kept = next;
        return next;
      },
    },
  } as unknown as PullRecentDataDependencies;
  const logged: string[] = [];
  const spies = (["warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line: string) => void logged.push(line)),
  );
  await pullRecentData(deps, scope, kept, connector, new Log({}));
  for (const spy of spies) spy.mockRestore();
  return { asked, kept, teamReads, logged: logged.map((line) => JSON.parse(line)) };
}

test("a refused or unreadable window affects no other window and no other resource", async () => {
  for (const error of [new ProviderRefused(403), new RangeError("Invalid time value of Ada")]) {
    const { asked, kept, logged } = await run((resource, place) =>
      resource === "sleep" && place === 2 ? error : undefined,
    );
    expect(asked.filter((one) => one === "sleep")).toHaveLength(4);
    expect(asked.filter((one) => one === "workouts")).toHaveLength(4);
    expect(kept.attempts).toMatchObject({ sleep: { status: "failure" }, workouts: { status: "success" } });
    expect(Date.parse(kept.pulled_until)).toBeGreaterThan(Date.parse(connectedOn));
    expect(logged).toMatchObject([{ provider: "fake", resource: "sleep" }]);
    expect(JSON.stringify(logged)).not.toContain("of Ada");
  }
});

test("an unavailable provider is asked again later and does not delay other resources", async () => {
  const { asked, kept } = await run((resource) =>
    resource === "sleep" ? new ProviderUnavailable("it does not answer") : undefined,
  );
  expect(asked).toEqual(["sleep", "workouts", "workouts", "workouts", "workouts"]);
  expect(kept).toMatchObject({ status: "failure", pulled_until: connectedOn });
});

test("a connection of a team without remaining budget is rescheduled and resumes from its position", async () => {
  const before = ports().clock.now();
  const { asked, kept } = await run(() => undefined, 90_000);
  expect(asked).toEqual([]);
  expect(kept).toMatchObject({ status: null, failures: 0, pulled_until: connectedOn });
  expect(kept.run_until).toBeUndefined();
  expect(Date.parse(kept.due_at ?? "")).toBeGreaterThanOrEqual(before + 90_000);
  expect(Date.parse(kept.due_at ?? "")).toBeLessThan(before + 120_000);
});

test("a team that keeps no payloads is read once in a run, and the store of payloads is not used", async () => {
  const { asked, teamReads } = await run(() => undefined);
  expect(asked).toHaveLength(8);
  expect(teamReads).toBe(1);
});

describe("a provider whose devices upload 30 days late", () => {
  const connectedMs = Date.parse("2026-05-01T09:00:00Z");

  /** Pulls until `until` what is pulled until `pulled`, in windows of 30 days. @returns the windows in ISO 8601. */
  async function windowsOf(pulled: string, until: string, lateUploadDays?: number) {
    const windows: string[] = [];
    const connector = {
      slug: "late",
      ...(lateUploadDays === undefined ? {} : { lateUploadDays }),
      async *pull(_: string, { startMs, endMs }: TimeWindow) {
        windows.push([startMs, endMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join(" "));
      },
    } as unknown as PulledProvider;
    const poll = { connected_on: new Date(connectedMs).toISOString(), pulled_until: pulled };
    const pulls = { scope, user, connector, poll, scopes: [], found: [], log: new Log({}) } as unknown as PullRun;
    const resource = { name: "glucose", delivers: ["glucose"], windowDays: 30, scopes: [] };
    await pullResource({} as PullResourceDependencies, pulls, resource, {} as ProviderClient, Date.parse(until));
    return windows;
  }

  test("is asked for 30 days once a day, and for two days otherwise", async () => {
    expect(await windowsOf("2026-07-10T08:30:00Z", "2026-07-10T09:30:00Z", 30)).toEqual([
      "2026-06-10T08:30 2026-07-10T08:30",
      "2026-07-10T08:30 2026-07-10T09:30",
    ]);
    expect(await windowsOf("2026-07-10T09:30:00Z", "2026-07-10T10:30:00Z", 30)).toEqual([
      "2026-07-08T09:30 2026-07-10T10:30",
    ]);
    expect(await windowsOf("2026-07-10T08:30:00Z", "2026-07-10T09:30:00Z")).toEqual([
      "2026-07-08T08:30 2026-07-10T09:30",
    ]);
  });

  test("is not asked for more history than two days before the connection", async () => {
    expect(await windowsOf("2026-05-02T08:30:00Z", "2026-05-02T09:30:00Z", 30)).toEqual([
      "2026-04-29T09:00 2026-05-02T09:30",
    ]);
  });
});
