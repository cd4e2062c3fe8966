import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { assumeRole } from "../../../../lib/runtime/aws/assume-role.ts";
import { isOutage } from "../../../../lib/runtime/outages.ts";
import { FakeSts, issued, refused } from "./fake-sts.ts";

const session = {
  roleArn: "arn:aws:iam::111122223333:role/team",
  name: "one",
  tags: { team_id: "t&1", other: "é" },
  durationS: 3_600,
};

let sts: FakeSts;
beforeAll(async () => {
  sts = await FakeSts.start();
});
afterAll(() => sts.stop());
beforeEach(() => {
  sts.requests.length = 0;
  for (const [name, value] of Object.entries(sts.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const failure = () =>
  assumeRole(session).then(
    () => undefined,
    (error: Error) => error,
  );

describe("assuming a role", () => {
  test("sends a signed form with role, duration and tags, and returns the credentials", async () => {
    sts.respond = () => issued("ASIA1");
    expect(await assumeRole(session)).toEqual({
      accessKeyId: "ASIA1",
      secretAccessKey: "a+b/c=",
      sessionToken: "token",
    });
    expect(Object.fromEntries(sts.requests[0] ?? [])).toEqual({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: session.roleArn,
      RoleSessionName: "one",
      DurationSeconds: "3600",
      "Tags.member.1.Key": "team_id",
      "Tags.member.1.Value": "t&1",
      "Tags.member.2.Key": "other",
      "Tags.member.2.Value": "é",
    });
    expect(sts.signatures[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/sts\/aws4_request, /);
  });

  test.each([
    ["a server-side fault", refused(503, "ServiceUnavailable")],
    ["throttling", refused(400, "Throttling")],
  ])("tries again after %s", async (_, fault) => {
    sts.respond = (nth) => (nth < 3 ? fault : issued("ASIA3"));
    expect((await assumeRole(session)).accessKeyId).toBe("ASIA3");
    expect(sts.requests).toHaveLength(3);
  });

  test("ends after three faults with an error that counts as an outage", async () => {
    sts.respond = () => refused(500, "InternalFailure");
    const error = await failure();
    expect([error?.name, isOutage(error)]).toEqual(["InternalFailure", true]);
    expect(sts.requests).toHaveLength(3);
  });

  test("does not repeat a refused request, and a refusal is no outage", async () => {
    sts.respond = () => refused(403, "AccessDenied");
    const error = await failure();
    expect([error?.name, isOutage(error)]).toEqual(["AccessDenied", false]);
    expect(sts.requests).toHaveLength(1);
  });

  test("counts a missing or unreadable response as an outage", async () => {
    sts.respond = () => ({ status: 200, body: "<AssumeRoleResponse/>" });
    expect(isOutage(await failure())).toBe(true);
    vi.stubEnv("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
    expect(isOutage(await failure())).toBe(true);
  });
});
