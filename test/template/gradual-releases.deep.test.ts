// @module-tag deep
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { allFindings, openFindings, readAcknowledgements, sortedPaths } from "./support/nag-findings.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService({ gradualReleases: "canary5" });
const aliases = resourcesOfType(service, "AWS::Lambda::Alias");

describe("gradual releases", () => {
  test("give every route an alias, and only these", () => {
    const ids = aliases.map(({ logicalId }) => logicalId.replace(/Live[0-9A-F]{8}$/, "")).sort();
    expect(ids).toEqual(endpoints.map(({ operationId }) => operationId).sort());
  });

  test("let the APIs invoke the aliases, never the functions", () => {
    const live = new Set(aliases.map(({ ref }) => ref));
    const invoked = resourcesOfType(service, "AWS::ApiGatewayV2::Integration").map(
      ({ properties }) => properties.IntegrationUri,
    );
    expect(invoked.filter((uri) => !live.has(String(uri)))).toEqual([]);
    const permitted = resourcesOfType(service, "AWS::Lambda::Permission")
      .filter(({ properties }) => properties.Principal === "apigateway.amazonaws.com")
      .map(({ properties }) => properties.FunctionName);
    expect(permitted.filter((name) => !live.has(String(name)))).toEqual([]);
  });

  test("move a tenth of the requests first, and move back when the version or the API of the route fails", () => {
    const groups = resourcesOfType(service, "AWS::CodeDeploy::DeploymentGroup");
    expect(groups).toHaveLength(endpoints.length);
    const alarms = resourcesOfType(service, "AWS::CloudWatch::Alarm");
    const ofApis = alarms.filter(({ logicalId }) => logicalId.startsWith("ReleaseFails")).map(({ ref }) => ref);
    expect(ofApis).toHaveLength(2);
    const used = new Set<unknown>();
    for (const { properties } of groups) {
      expect(properties).toMatchObject({
        DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent5Minutes",
        AlarmConfiguration: { Enabled: true },
        AutoRollbackConfiguration: { Enabled: true, Events: expect.arrayContaining(["DEPLOYMENT_STOP_ON_ALARM"]) },
      });
      const { Alarms } = properties.AlarmConfiguration as { Alarms: { Name: string }[] };
      const [ofVersion, ...others] = Alarms.map(({ Name }) => Name);
      expect(others.length).toBeGreaterThan(0);
      for (const name of others) expect(ofApis).toContain(name);
      used.add(ofVersion);
    }
    const ofVersions = alarms.filter(({ logicalId }) => /VersionFails[0-9A-F]{8}$/.test(logicalId));
    expect(used).toEqual(new Set(ofVersions.map(({ ref }) => ref)));
    expect(used.size).toBe(endpoints.length);
  });

  test("let an API invoke an alias or a function only after it has the permission", () => {
    for (const { resources } of service.templates) {
      for (const [id, { Type, DependsOn, Properties }] of Object.entries(resources)) {
        if (Type !== "AWS::ApiGatewayV2::Integration") continue;
        const permissions = [DependsOn ?? []].flat().map((one) => resources[String(one)]?.Properties.FunctionName);
        expect(permissions, id).toEqual([Properties.IntegrationUri]);
      }
    }
  });

  test("watch a version before the release of that version begins", () => {
    const all = service.templates.flatMap(({ resources }) => Object.entries(resources));
    for (const [id, { Type, DependsOn, Properties }] of all) {
      if (Type !== "AWS::Lambda::Alias") continue;
      const alarmId = (DependsOn as string[]).find((name) => name.includes("VersionFails"));
      const alarm = all.find(([name]) => name === alarmId)?.[1];
      const { FunctionVersion } = Properties as { FunctionVersion: { "Fn::GetAtt": [string, string] } };
      expect(JSON.stringify(alarm?.Properties), id).toContain(JSON.stringify(FunctionVersion));
    }
  });

  test("let CodeDeploy update each alias in the stack's template", () => {
    const updated = service.templates.flatMap(({ resources }) =>
      Object.values(resources).filter(({ Type }) => Type === "AWS::Lambda::Alias"),
    );
    for (const alias of updated) expect(alias).toMatchObject({ UpdatePolicy: { CodeDeployLambdaAliasUpdate: {} } });
  });

  test("keep every stack within 500 resources", () => {
    expect(Math.max(...service.templates.map(({ resources }) => Object.keys(resources).length))).toBeLessThanOrEqual(
      500,
    );
  });

  test("cost what the page says", () => {
    const before = resourcesOfType(synthesizeService(), "AWS::CloudWatch::Alarm");
    const added = resourcesOfType(service, "AWS::CloudWatch::Alarm").slice(before.length);
    const metrics = resourcesOfType(service, "AWS::CloudWatch::Alarm").flatMap(({ properties }) =>
      ((properties.Metrics ?? []) as { MetricStat?: object }[]).filter(({ MetricStat }) => MetricStat !== undefined),
    );
    const words = `costs $${(metrics.length / 10).toFixed(2)} a month: the alarms of ${added.length - 2} routes read three metrics`;
    expect(readFileSync("docs/deploy.md", "utf8")).toContain(words);
  });

  test("leave cdk-nag only acknowledged findings", () => {
    expect(openFindings(service.app, "Tributary")).toEqual({});
    expect(sortedPaths(readAcknowledgements(service.app, "Tributary"))).toEqual(allFindings(service.app, "Tributary"));
  });
});

test("by default a release reaches all requests at once, without aliases", () => {
  const usual = synthesizeService();
  expect(resourcesOfType(usual, "AWS::Lambda::Alias")).toEqual([]);
  findResource(usual, "AWS::Lambda::Function", "getUserFunction");
});
