// @module-tag deep
import { Stack } from "aws-cdk-lib/core";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { allOptions, webAclArn } from "./support/all-options.ts";
import { allFindings, openFindings, readAcknowledgements, sortedPaths } from "./support/nag-findings.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const byDefault = synthesizeService();
const service = synthesizeService(allOptions);
const resolved = "{{resolve:secretsmanager:tributary/edge:SecretString}}";
const environmentOf = (operationId: string) =>
  findResource(service, "AWS::Lambda::Function", `${operationId}Function`).properties.Environment as {
    Variables: Record<string, string>;
  };

test("the default deployment has no optional resources", () => {
  const optional =
    /^AWS::(Backup|CloudFront|WAFv2)::|^AWS::ApiGatewayV2::(DomainName|ApiMapping)$|^AWS::SNS::Subscription$/;
  expect(byDefault.assembly.resources.filter(({ type }) => optional.test(type))).toEqual([]);
  expect(byDefault.templates.filter(({ text }) => /EDGE_SECRET|x-origin-secret|resolve:/.test(text))).toEqual([]);
});

/** A name of a length at which functions have more policies than by default. */
const longName = "L".repeat(40);

test.each([
  ["", "Tributary", service],
  [" and the longest name", longName, synthesizeService({ ...allOptions, name: longName })],
])("with every option%s, cdk-nag finds only acknowledged findings", (_, name, { app }) => {
  expect(openFindings(app, name)).toEqual({});
  expect(sortedPaths(readAcknowledgements(app, name))).toEqual(allFindings(app, name));
});

test("the stage's request limit is the deployment's limit, not one team's share", () => {
  const ratesOf = (one: typeof service) =>
    resourcesOfType(one, "AWS::ApiGatewayV2::Stage").map(({ properties }) => properties.DefaultRouteSettings);
  const usual = { ThrottlingRateLimit: 5_000, ThrottlingBurstLimit: 5_000 };
  expect(ratesOf(byDefault)).toEqual([expect.objectContaining(usual), expect.objectContaining(usual)]);
  const small = { ThrottlingRateLimit: 700, ThrottlingBurstLimit: 700 };
  const set = ratesOf(synthesizeService({ stageRequestsPerSecond: 700, requestsPerSecond: 9 }));
  expect(set).toEqual([expect.objectContaining(small), expect.objectContaining(small)]);
});

test("no API counts metrics of single routes, which cost by route and month", () => {
  for (const { properties } of resourcesOfType(byDefault, "AWS::ApiGatewayV2::Stage"))
    expect(properties.DefaultRouteSettings).toMatchObject({ DetailedMetricsEnabled: false });
});

test("the consumer of a queue has the concurrency of the setting, and the others that of their contracts", {}, () => {
  const limitsOf = (one: typeof service) => {
    const mappings = resourcesOfType(one, "AWS::Lambda::EventSourceMapping");
    return new Map(mappings.map(({ logicalId, properties }) => [logicalId, properties.ScalingConfig]));
  };
  const [usual, raised] = [limitsOf(byDefault), limitsOf(synthesizeService({ maxConcurrency: { deliverEvent: 200 } }))];
  const changed = [...raised].filter(([id, limit]) => JSON.stringify(limit) !== JSON.stringify(usual.get(id)));
  expect(changed.map(([id, limit]) => [/deliverEvent/i.test(id), limit])).toEqual([
    [true, { MaximumConcurrency: 200 }],
  ]);
  expect(() => synthesizeService({ maxConcurrency: { deliverEvents: 200 } })).toThrow("no queue invokes deliverEvents");
});

test("the main API serves its own domain over TLS 1.2", () => {
  const [domain] = resourcesOfType(service, "AWS::ApiGatewayV2::DomainName");
  expect(domain?.properties).toEqual({
    DomainName: "origin.example.com",
    DomainNameConfigurations: [
      {
        CertificateArn: allOptions.domain.certificateArn,
        EndpointType: "REGIONAL",
        SecurityPolicy: "TLS_1_2",
      },
    ],
  });
  const main = resourcesOfType(service, "AWS::ApiGatewayV2::Api").find(({ name }) => name === "main");
  expect(resourcesOfType(service, "AWS::ApiGatewayV2::ApiMapping").map(({ properties }) => properties)).toEqual([
    { ApiId: main?.ref, DomainName: "origin.example.com", Stage: "$default" },
  ]);
});

describe("CloudFront", () => {
  const { properties } = findResource(service, "AWS::CloudFront::Distribution", "Distribution");

  test("forwards every request over TLS, caches nothing, and adds the secret", () => {
    expect(properties).toMatchObject({
      DistributionConfig: {
        Aliases: ["api.example.com"],
        DefaultCacheBehavior: {
          ViewerProtocolPolicy: "https-only",
          CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
          ResponseHeadersPolicyId: "67f7725c-6f97-4210-82d7-5512b31e9d03",
          AllowedMethods: expect.arrayContaining(["GET", "POST", "PATCH", "PUT", "DELETE"]),
        },
        Origins: [
          {
            DomainName: allOptions.domain.name,
            CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
            OriginCustomHeaders: [
              {
                HeaderName: "x-origin-secret",
                HeaderValue: resolved,
              },
            ],
          },
        ],
        ViewerCertificate: { MinimumProtocolVersion: "TLSv1.2_2021", SslSupportMethod: "sni-only" },
      },
    });
  });

  test("caches no error either, and replaces none", () => {
    const { CustomErrorResponses: errors } = properties.DistributionConfig as { CustomErrorResponses: unknown };
    const cached = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(errors).toEqual(cached.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })));
  });

  test("serves a domain of the API if it has one, and then the default endpoint is disabled", () => {
    const isClosed = (one: typeof service) =>
      resourcesOfType(one, "AWS::ApiGatewayV2::Api").map((api) => [
        api.name,
        api.properties.DisableExecuteApiEndpoint ?? false,
      ]);
    expect(isClosed(service)).toEqual([
      ["main", true],
      ["management", false],
    ]);
    const { domain: _, ...others } = allOptions;
    const without = synthesizeService(others);
    expect(isClosed(without).map(([, closed]) => closed)).toEqual([false, false]);
    const distribution = findResource(without, "AWS::CloudFront::Distribution", "Distribution");
    const address = expect.stringMatching(/^[\w-]+\.execute-api\.us-east-1\.amazonaws\.com$/);
    expect(distribution.properties).toMatchObject({ DistributionConfig: { Origins: [{ DomainName: address }] } });
  });

  test("sends the secret before any function requires it", () => {
    const stacks = service.app.node.children.filter((child) => child instanceof Stack);
    const edge = stacks.find(({ stackName }) => stackName === "Tributary-Edge");
    const asking = service.templates.filter(({ name, text }) => name.includes("-Api-") && text.includes(resolved));
    expect(asking.length).toBeGreaterThan(10);
    for (const { name } of asking) {
      expect(stacks.find(({ stackName }) => stackName === name)?.dependencies).toContain(edge);
    }
  });

  test("has a firewall with a rate limit per address and AWS managed rules", () => {
    const acl = findResource(service, "AWS::WAFv2::WebACL", "FirewallWebAcl");
    expect(properties).toMatchObject({ DistributionConfig: { WebACLId: acl.arn } });
    const rules = acl.properties.Rules as { Name: string; Statement: Record<string, unknown> }[];
    expect(acl.properties.Scope).toBe("CLOUDFRONT");
    expect(rules.map(({ Name }) => Name)).toEqual([
      "RatePerAddress",
      "AWSManagedRulesCommonRuleSet",
      "AWSManagedRulesKnownBadInputsRuleSet",
      "AWSManagedRulesAmazonIpReputationList",
    ]);
    expect(rules[0]?.Statement).toEqual({ RateBasedStatement: { AggregateKeyType: "IP", Limit: 500 } });
  });

  test("lets one address send by default what one team may send in five minutes", () => {
    const limitOf = (settings: Readonly<Record<string, unknown>>) => {
      const { Rules } = findResource(synthesizeService(settings), "AWS::WAFv2::WebACL", "FirewallWebAcl").properties;
      return (Rules as { Statement: { RateBasedStatement?: { Limit: number } } }[])[0]?.Statement.RateBasedStatement
        ?.Limit;
    };
    expect(limitOf({ edge: {} })).toBe(300_000);
    expect(limitOf({ edge: {}, requestsPerSecond: 20 })).toBe(6_000);
  });

  test("uses an existing firewall and then creates none", () => {
    const abroad = synthesizeService({ region: "eu", edge: { webAclArn } });
    expect(resourcesOfType(abroad, "AWS::WAFv2::WebACL")).toEqual([]);
    const front = findResource(abroad, "AWS::CloudFront::Distribution", "Distribution");
    expect(front.properties).toMatchObject({ DistributionConfig: { WebACLId: webAclArn } });
  });
});

describe("the secret between CloudFront and the main API", () => {
  test("is generated by Secrets Manager with the data key", () => {
    expect(findResource(service, "AWS::SecretsManager::Secret", "Secretedge").properties).toMatchObject({
      Name: "tributary/edge",
      KmsKeyId: findResource(service, "AWS::KMS::Key", "DataKey").arn,
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
    });
  });

  test.each(endpoints)(
    "$operationId requires it exactly if calls of the main API reach it through CloudFront",
    ({ operationId, auth, tag, consoleRoles }) => {
      const isOfTeams = auth !== "management" && tag !== "service";
      const isGuarded = isOfTeams || consoleRoles !== undefined;
      const { EDGE_SECRET, BASE_URL } = environmentOf(operationId).Variables;
      expect(BASE_URL).toBe("https://api.example.com");
      if (isGuarded) expect(EDGE_SECRET).toBe(resolved);
      else expect(EDGE_SECRET).toBeUndefined();
    },
  );
});

test("alarms are mailed to the configured address", () => {
  const topic = findResource(service, "AWS::SNS::Topic", "Alarms");
  expect(resourcesOfType(service, "AWS::SNS::Subscription").map(({ properties }) => properties)).toEqual([
    { TopicArn: topic.ref, Protocol: "email", Endpoint: "operators@example.com" },
  ]);
});

test("a daily backup of every table except user keys goes to an encrypted vault and expires", () => {
  const [selection] = resourcesOfType(service, "AWS::Backup::BackupSelection");
  const keys = findResource(service, "AWS::DynamoDB::Table", "TableuserKeys").arn;
  const tables = resourcesOfType(service, "AWS::DynamoDB::Table").flatMap(({ arn }) => (arn === keys ? [] : arn));
  expect(tables.length).toBeGreaterThan(5);
  expect(selection?.properties).toMatchObject({ BackupSelection: { Resources: tables } });
  const [plan] = resourcesOfType(service, "AWS::Backup::BackupPlan");
  expect(plan?.properties).toMatchObject({
    BackupPlan: { BackupPlanRule: [{ ScheduleExpression: "cron(0 5 * * ? *)", Lifecycle: { DeleteAfterDays: 35 } }] },
  });
  const [vault] = resourcesOfType(service, "AWS::Backup::BackupVault");
  expect(vault?.properties.EncryptionKeyArn).toBe(findResource(service, "AWS::KMS::Key", "DataKey").arn);
});

test("a trial deployment leaves no resources behind", () => {
  const { templates } = synthesizeService({ removal: "destroy", restoreDays: 7 });
  const keeping = templates
    .flatMap(({ resources }) => Object.values(resources))
    .filter((one) => String(one.DeletionPolicy).startsWith("Retain"));
  expect(keeping).toEqual([]);
  const tables = templates
    .flatMap(({ resources }) => Object.values(resources))
    .filter(({ Type }) => Type === "AWS::DynamoDB::Table");
  for (const { Properties } of tables) {
    expect(Properties).toMatchObject({
      PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 7 },
      DeletionProtectionEnabled: false,
    });
  }
});

describe("the dashboard", () => {
  test("shows at most fifty metrics, the free number", () => {
    const [dashboard] = resourcesOfType(byDefault, "AWS::CloudWatch::Dashboard");
    const { widgets } = JSON.parse(String(dashboard?.properties.DashboardBody));
    const metrics = widgets.flatMap(
      ({ properties }: { properties: { metrics?: unknown[] } }) => properties.metrics ?? [],
    );
    expect(metrics.length).toBeGreaterThan(30);
    expect(metrics.length).toBeLessThanOrEqual(50);
    expect(widgets.map(({ properties }: { properties: { title: string } }) => properties.title)).toHaveLength(6);
  });

  test("can be disabled", () => {
    expect(resourcesOfType(synthesizeService({ dashboard: false }), "AWS::CloudWatch::Dashboard")).toEqual([]);
  });
});
