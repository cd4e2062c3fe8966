import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withTeamCredentials } from "../../../../lib/runtime/aws/team-credentials.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { FakeSts, issued, refused } from "./fake-sts.ts";

const MINUTE_MS = 60_000;
let sts: FakeSts;
let nowMs = 0;
beforeAll(async () => {
  sts = await FakeSts.start();
});
afterAll(() => sts.stop());
beforeEach(() => {
  sts.requests.length = 0;
  sts.respond = (nth) => issued(`ASIA${nth}`);
  nowMs = Date.UTC(2026, 4, 1);
  setPorts({ clock: { now: () => nowMs } });
  const container = { AWS_LAMBDA_LOG_STREAM_NAME: Math.random().toString() };
  for (const [name, value] of Object.entries({ ...sts.environment, ...container })) vi.stubEnv(name, value);
});
afterEach(() => {
  setPorts(undefined);
  vi.unstubAllEnvs();
});

/** The access key with which a request for this team signs. */
const keyFor = (team: string, role = "arn:aws:iam::111122223333:role/one") =>
  withTeamCredentials(role, team, ({ accessKeyId }) => accessKeyId);

describe("credentials of a team", () => {
  test("are assumed once for a team and role, also by concurrent requests", async () => {
    expect(await Promise.all([keyFor("a"), keyFor("a"), keyFor("b")])).toEqual(
      expect.arrayContaining([expect.stringMatching("ASIA1|ASIA2")]),
    );
    expect(sts.requests).toHaveLength(2);
    const [first, again, other] = await Promise.all([keyFor("a"), keyFor("a"), keyFor("b")]);
    expect([first === again, first === other]).toEqual([true, false]);
    expect(sts.requests).toHaveLength(2);
    await keyFor("a", "arn:aws:iam::111122223333:role/two");
    expect(sts.requests.map((request) => request.get("Tags.member.1.Value")).toSorted()).toEqual(["a", "a", "b"]);
  });

  test("are renewed a minute before they expire, and not before", async () => {
    expect(await keyFor("a")).toBe("ASIA1");
    nowMs += 59 * MINUTE_MS - 1;
    expect(await keyFor("a")).toBe("ASIA1");
    nowMs += 1;
    expect(await keyFor("a")).toBe("ASIA2");
    expect(sts.requests.map((request) => request.get("DurationSeconds"))).toEqual(["3600", "3600"]);
  });

  test("are not kept after a failure", async () => {
    sts.respond = (nth) => (nth === 1 ? refused(403, "AccessDenied") : issued("ASIA2"));
    await expect(keyFor("a")).rejects.toThrow("AccessDenied");
    expect(await keyFor("a")).toBe("ASIA2");
  });

  test("are kept for the latest 100 teams of a container", async () => {
    for (let team = 0; team <= 100; team++) await keyFor(`team-${team}`);
    await keyFor("team-100");
    expect(sts.requests).toHaveLength(101);
    await keyFor("team-0");
    expect(sts.requests).toHaveLength(102);
  });
});
