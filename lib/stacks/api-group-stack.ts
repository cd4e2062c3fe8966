import * as apigateway from "aws-cdk-lib/aws-apigatewayv2";
import type * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { EndpointContract } from "../contract/endpoint.ts";
import { acknowledgeFindings } from "./acknowledge-findings.ts";
import type { DeploymentResources } from "./deployment-resources.ts";
import { GradualReleases } from "./operations/gradual-releases.ts";
import { ServiceFunction } from "./service-function.ts";

interface ApiGroupProps extends StackProps {
  /** The APIs that get the routes. Only the handler of unknown routes belongs to more than one. */
  readonly apis: readonly apigateway.CfnApi[];
  /** Alarms that end a gradual release. */
  readonly releaseAlarms: readonly cloudwatch.IAlarm[];
  readonly contracts: readonly EndpointContract[];
  readonly world: DeploymentResources;
}

/** A function with one of the APIs that have its routes. */
interface RoutedFunction {
  readonly fn: ServiceFunction;
  /** The function, or the alias that a gradual release moves. */
  readonly functionArn: string;
  readonly api: apigateway.CfnApi;
  readonly suffix: string;
}

/** The endpoints of one folder: each has a function, an integration, an invoke permission, and its routes. */
export class ApiGroupStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiGroupProps) {
    super(scope, id, props);
    const { gradualReleases: pace } = props.world.config;
    const releases = pace === "off" ? undefined : new GradualReleases(this, { pace, alarms: props.releaseAlarms });
    for (const contract of props.contracts) this.#endpoint(contract, props, releases);
  }

  #endpoint(contract: EndpointContract, { apis, world }: ApiGroupProps, releases: GradualReleases | undefined): void {
    const fn = new ServiceFunction(this, contract, world);
    const { functionArn } = releases?.release(fn) ?? fn.lambda;
    for (const [index, api] of apis.entries())
      this.#routes(contract, { fn, functionArn, api, suffix: index === 0 ? "" : String(index) });
  }

  #routes(contract: EndpointContract, { fn, functionArn, api, suffix }: RoutedFunction): void {
    const integration = new apigateway.CfnIntegration(fn, `Integration${suffix}`, {
      apiId: api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: functionArn,
      payloadFormatVersion: "2.0",
    });
    new lambda.CfnPermission(fn, `Permission${suffix}`, {
      action: "lambda:InvokeFunction",
      functionName: functionArn,
      principal: "apigateway.amazonaws.com",
      sourceArn: this.formatArn({ service: "execute-api", resource: api.ref, resourceName: "*" }),
    });
    for (const [index, path] of [contract.path, ...contract.aliases].entries()) {
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
