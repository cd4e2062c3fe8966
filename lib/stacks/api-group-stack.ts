import * as apigateway from "aws-cdk-lib/aws-apigatewayv2";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { consolePathOf } from "../contract/console/console-path.ts";
import type { EndpointContract } from "../contract/endpoint.ts";
import { acknowledgeFindings } from "./acknowledge-findings.ts";
import type { DeploymentResources } from "./deployment-resources.ts";
import { GradualReleases } from "./operations/gradual-releases.ts";
import { ServiceFunction } from "./service-function.ts";

interface ApiGroupProps extends StackProps {
  /** The APIs that get the routes. Only the handler of unknown routes belongs to more than one. */
  readonly apis: readonly apigateway.CfnApi[];
  /** Names of the alarms that end a gradual release. */
  readonly releaseAlarms: readonly string[];
  /** The API that also gets the routes of sessions of the console to management operations. */
  readonly consoleApi: apigateway.CfnApi;
  readonly contracts: readonly EndpointContract[];
  readonly world: DeploymentResources;
}

/** The routes of an endpoint on one API. */
interface ApiRoutes {
  readonly contract: EndpointContract;
  readonly paths: readonly string[];
  /** The function, or the alias that a gradual release moves. */
  readonly functionArn: string;
  readonly api: apigateway.CfnApi;
  /** Distinguishes the resources of several APIs. */
  readonly suffix: string;
}

/** The endpoints of one folder: each has a function, an integration, an invoke permission, and its routes. */
export class ApiGroupStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiGroupProps) {
    super(scope, id, props);
    const { gradualReleases: pace, name } = props.world.config;
    const settings = { alarmNames: props.releaseAlarms, namespace: name.toLowerCase() };
    const releases = pace === "off" ? undefined : new GradualReleases(this, { ...settings, pace });
    for (const contract of props.contracts) this.#endpoint(contract, props, releases);
  }

  #endpoint(contract: EndpointContract, { apis, consoleApi, world }: ApiGroupProps, releases?: GradualReleases): void {
    const fn = new ServiceFunction(this, contract, world);
    const { functionArn } = releases?.release(fn, contract.operationId) ?? fn.lambda;
    const paths = [contract.path, ...contract.aliases];
    for (const [index, api] of apis.entries())
      this.#routes(fn, { contract, paths, functionArn, api, suffix: index === 0 ? "" : String(index) });
    if (contract.consoleRoles)
      this.#routes(fn, { contract, paths: [consolePathOf(contract)], functionArn, api: consoleApi, suffix: "Console" });
  }

  #routes(fn: ServiceFunction, { contract, paths, functionArn, api, suffix }: ApiRoutes): void {
    const integration = new apigateway.CfnIntegration(fn, `Integration${suffix}`, {
      apiId: api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: functionArn,
      payloadFormatVersion: "2.0",
    });
    const permission = new lambda.CfnPermission(fn, `Permission${suffix}`, {
      action: "lambda:InvokeFunction",
      functionName: functionArn,
      principal: "apigateway.amazonaws.com",
      sourceArn: this.formatArn({ service: "execute-api", resource: api.ref, resourceName: "*" }),
    });
    // When gradual releases are turned on or off, the API may only invoke the other ARN once it has the permission.
    integration.addDependency(permission);
    for (const [index, path] of paths.entries()) {
      const route = new apigateway.CfnRoute(fn, `Route${suffix}${index === 0 ? "" : `-${index}`}`, {
        apiId: api.ref,
        routeKey: contract.method === "ANY" ? "$default" : `${contract.method} ${path}`,
        target: `integrations/${integration.ref}`,
        authorizationType: "NONE",
      });
      acknowledgeFindings(
        route,
        "The function authenticates itself, so error bodies are the service's own and the local service behaves equally.",
        "AwsSolutions-APIG4",
      );
    }
  }
}
