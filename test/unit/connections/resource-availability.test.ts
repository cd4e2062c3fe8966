import { describe, expect, test } from "vitest";
import { resourceAvailabilityOf } from "../../../lib/domain/connections/resource-availability.ts";

describe("a resource", () => {
  const data = [
    { delivers: ["sleep", "heartrate"], scopes: ["sleep", "profile"] },
    { delivers: ["workouts", "heartrate"], scopes: ["activity", "profile"] },
    { delivers: ["profile"], scopes: [] },
  ];
  const availability = (...granted: string[]) => resourceAvailabilityOf("fitbit", { granted, data });

  test("requires all scopes of the data that delivers it", () => {
    expect(availability("sleep").sleep).toEqual({
      status: "unavailable",
      scope_requirements: {
        user_granted: { required: ["sleep"], optional: [] },
        user_denied: { required: ["profile"], optional: [] },
      },
    });
    expect(availability("sleep", "profile").sleep?.status).toBe("available");
  });

  test("that several kinds of data deliver is available by one of them", () => {
    expect(availability("sleep", "profile").heartrate).toEqual({
      status: "available",
      scope_requirements: {
        user_granted: { required: ["profile"], optional: ["sleep"] },
        user_denied: { required: [], optional: ["activity"] },
      },
    });
    expect(availability("sleep", "activity").heartrate?.status).toBe("unavailable");
  });

  test("has no requirements without scopes, and without a grant of the connection", () => {
    const open = { status: "available", scope_requirements: null };
    expect(availability().profile).toEqual(open);
    expect(availability().steps).toEqual(open);
    expect(new Set(Object.values(resourceAvailabilityOf("fitbit")).map(({ status }) => status))).toEqual(
      new Set(["available"]),
    );
    expect(resourceAvailabilityOf("fitbit").sleep).toEqual(open);
  });
});
