// @module-tag deep
import { describe, expect, test } from "vitest";
import { allOptions } from "./support/all-options.ts";
import { resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const permissionsBoundaryArn = "arn:aws:iam::111122223333:policy/boundaries/service";
const tags = { "cost-center": "health 42", Owner: "data@example.com" };

describe("an account with rules", () => {
  const service = synthesizeService({ ...allOptions, permissionsBoundaryArn, tags });

  test("gets its permissions boundary on every role", () => {
    const roles = resourcesOfType(service, "AWS::IAM::Role");
    expect(roles.length).toBeGreaterThan(250);
    expect(new Set(roles.map(({ properties }) => properties.PermissionsBoundary))).toEqual(
      new Set([permissionsBoundaryArn]),
    );
  });

  test.each(["AWS::Lambda::Function", "AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::KMS::Key"])(
    "gets its tags on every %s",

    (type) => {
      const found = resourcesOfType(service, type);
      expect(found.length).toBeGreaterThan(0);
      for (const { properties } of found)
        expect(properties.Tags).toEqual(
          expect.arrayContaining(Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))),
        );
    },
  );
});

test("a deployment without rules has no boundary", () => {
  const roles = resourcesOfType(synthesizeService(), "AWS::IAM::Role");
  expect(roles.filter(({ properties }) => properties.PermissionsBoundary !== undefined)).toEqual([]);
});

test.each([
  [{ permissionsBoundaryArn: "service" }, "permissionsBoundaryArn"],
  [{ tags: { "aws:owner": "x" } }, "aws:owner"],
  [{ tags: { owner: "x\n" } }, "tags.owner"],
])("%j is an error that names the key", (settings, key) => {
  expect(() => synthesizeService(settings)).toThrow(key);
});
