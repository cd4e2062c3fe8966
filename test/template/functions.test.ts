import { CfnResource } from "aws-cdk-lib/core";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { resourceVariable } from "../../lib/contract/access.ts";
import { effectiveGrants } from "../../lib/contract/access-log-mode.ts";
import { deadLetterVariable } from "../../lib/contract/consumer.ts";
import { sampleForwards } from "./support/forwards.ts";
import { deployedContracts } from "./support/function-paths.ts";
import { locateGrantedResource } from "./support/locate-resource.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });

/** Number of APIs with the routes of an endpoint. Both APIs have those of the service folder. */
const apisOf = ({ tag }: { tag: string }) => (tag === "service" ? 2 : 1);

/** The environment variables of a consumer for its dead-letter queue. */
function deadLettersOf(contract: (typeof deployedContracts)[number]): Record<string, unknown> {
  if (contract.kind === "endpoint") return {};
  const { operationId, trigger } = contract;
  if (trigger.kind !== "queue" && trigger.kind !== "stream") return {};
  const id = trigger.kind === "queue" ? `Queue${trigger.queue.name}DeadLettersQueue` : `${operationId}MissedQueue`;
  return { [deadLetterVariable(contract)]: findResource(service, "AWS::SQS::Queue", id).ref };
}

describe("every endpoint", () => {
  test.each(endpoints)("$operationId has one of each resource and no other", (contract) => {
    const construct = service.app.node.findChild(`Tributary-Api-${contract.tag}`).node.findChild(contract.operationId);
    const resources = construct.node.findAll().filter(CfnResource.isCfnResource);
    const ofConsole = contract.consoleRoles ? 1 : 0;
    const apis = apisOf(contract) + ofConsole;
    const repeat = (type: string, times: number) => Array.from({ length: times }, () => type);
    expect(resources.map(({ cfnResourceType }) => cfnResourceType).sort()).toEqual([
      ...repeat("AWS::ApiGatewayV2::Integration", apis),
      ...repeat("AWS::ApiGatewayV2::Route", apisOf(contract) * (1 + contract.aliases.length) + ofConsole),
      "AWS::IAM::ManagedPolicy",
      "AWS::IAM::Role",
      "AWS::Lambda::Function",
      ...repeat("AWS::Lambda::Permission", apis),
      "AWS::Logs::LogGroup",
    ]);
  });

  test("is the only content of its stack", () => {
    for (const tag of new Set(endpoints.map((contract) => contract.tag))) {
      const stack = service.app.node.findChild(`Tributary-Api-${tag}`);
      const holders = stack.node.children.filter((child) => child.node.findAll().some(CfnResource.isCfnResource));
      const declared = endpoints.filter((contract) => contract.tag === tag).map(({ operationId }) => operationId);
      expect(holders.map(({ node }) => node.id)).toEqual(declared);
    }
  });

  test("is on its API with its method and path", () => {
    const routes = resourcesOfType(service, "AWS::ApiGatewayV2::Route").map(({ properties }) => properties.RouteKey);
    const declared = endpoints.flatMap((contract) => {
      const paths = [contract.path, ...contract.aliases];
      const keys = paths.map((path) => (contract.method === "ANY" ? "$default" : `${contract.method} ${path}`));
      return Array.from({ length: apisOf(contract) }, () => keys).flat();
    });
    const ofConsole = endpoints.filter(({ consoleRoles }) => consoleRoles !== undefined);
    declared.push(...ofConsole.map((contract) => `${contract.method} /console${contract.path}`));
    expect(routes.sort()).toEqual(declared.sort());
  });

  test("can be invoked only by the APIs with its routes", () => {
    for (const { properties } of resourcesOfType(service, "AWS::Lambda::Permission")) {
      expect(properties).toMatchObject({ Action: "lambda:InvokeFunction", SourceArn: expect.stringMatching(/^arn:/) });
    }
  });
});

describe("every function", () => {
  test("has a contract, and every contract has a function", () => {
    expect(resourcesOfType(service, "AWS::Lambda::Function")).toHaveLength(deployedContracts.length);
    for (const { operationId } of deployedContracts)
      findResource(service, "AWS::Lambda::Function", `${operationId}Function`);
  });

  test.each(deployedContracts)(
    "$operationId has the settings of its contract",
    ({ operationId, memoryMb, timeoutS, ...contract }) => {
      const isScheduled = "trigger" in contract && contract.trigger.kind === "schedule";
      expect(findResource(service, "AWS::Lambda::Function", `${operationId}Function`).properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
        MemorySize: memoryMb,
        Timeout: timeoutS,
        TracingConfig: { Mode: isScheduled ? "PassThrough" : "Active" },
        LoggingConfig: { LogGroup: findResource(service, "AWS::Logs::LogGroup", `${operationId}Logs`).name },
      });
    },
  );

  test.each(deployedContracts)(
    "$operationId has the locations of its granted resources in its environment, and no others",
    (contract) => {
      const { properties } = findResource(service, "AWS::Lambda::Function", `${contract.operationId}Function`);
      const { ref: apiId } =
        resourcesOfType(service, "AWS::ApiGatewayV2::Api").find(({ name }) => name === "main") ?? {};
      const grants = effectiveGrants(contract);
      expect(properties.Environment).toEqual({
        Variables: {
          BASE_URL: expect.stringContaining(`${apiId}`),
          SERVICE_ENVIRONMENT: "sandbox",
          SERVICE_REGION: "us",
          REQUESTS_PER_SECOND: "1000",
          WORK_PER_SECOND: "20000",
          AS_OF_DAYS: "30",
          USERS_PER_TEAM: "20000",
          TEAMS_PER_ORG: "100",
          ...Object.fromEntries(
            grants.map(({ resource }) => [
              resourceVariable(resource),
              locateGrantedResource(service, resource).environment,
            ]),
          ),
          ...deadLettersOf(contract),
        },
      });
    },
  );

  test("has an encrypted log with limited retention", () => {
    const key = findResource(service, "AWS::KMS::Key", "DataKey").arn;
    for (const { properties } of resourcesOfType(service, "AWS::Logs::LogGroup")) {
      expect(properties).toMatchObject({ KmsKeyId: key, RetentionInDays: 90 });
    }
  });
});
