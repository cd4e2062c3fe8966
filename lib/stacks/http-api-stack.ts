import * as apigateway from "aws-cdk-lib/aws-apigatewayv2";
import type * as kms from "aws-cdk-lib/aws-kms";
import * as logs from "aws-cdk-lib/aws-logs";
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { accessTokenHeader, linkTokenHeaders } from "../contract/dialect.ts";
import type { DeploymentConfig } from "./config.ts";

/** The name of the API that browsers and phones call too. */
export const mainApi = "main";

/** Requests at once that an account may have API Gateway take (API Gateway quotas, throttle burst). */
const MOST_BURST = 5_000;

/** An HTTP API without routes; group stacks add theirs. */
export class HttpApiStack extends Stack {
  readonly api: apigateway.CfnApi;
  /** Where it is reached, without a slash at the end. */
  readonly baseUrl: string;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { apiName: string; config: DeploymentConfig; dataKey: kms.Key },
  ) {
    super(scope, id, props);
    const { apiName, config } = props;
    const domain = apiName === mainApi ? config.domain : undefined;
    this.api = new apigateway.CfnApi(this, "Api", {
      name: apiName,
      protocolType: "HTTP",
      // CloudFront reaches the API by its own domain then, and nobody else needs the address that AWS gives.
      ...(domain && config.edge ? { disableExecuteApiEndpoint: true } : {}),
      ...(apiName === mainApi ? { corsConfiguration } : {}),
    });
    const logGroup = new logs.LogGroup(this, "AccessLogs", {
      logGroupName: `/${config.name.toLowerCase()}/access/${apiName}`,
      retention: config.logRetentionDays,
      encryptionKey: props.dataKey,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new apigateway.CfnStage(this, "Stage", {
      apiId: this.api.ref,
      stageName: "$default",
      autoDeploy: true,
      accessLogSettings: { destinationArn: logGroup.logGroupArn, format: JSON.stringify(accessLogFields) },
      defaultRouteSettings: {
        detailedMetricsEnabled: true,
        throttlingRateLimit: config.stageRequestsPerSecond,
        throttlingBurstLimit: Math.min(config.stageRequestsPerSecond, MOST_BURST),
      },
    });
    if (domain) this.#answerTo(domain, stage);
    // Also where a domain takes its place: what other stacks import, a stack can not stop exporting before they do.
    if (apiName === mainApi) this.exportValue(this.api.attrApiEndpoint);
    this.baseUrl = domain ? `https://${domain.name}` : this.api.attrApiEndpoint;
    new CfnOutput(this, "Address", { value: this.baseUrl });
  }

  /** The name has to lead to the target that the output tells: an alias or CNAME record, wherever the zone is kept. */
  #answerTo({ name, certificateArn }: NonNullable<DeploymentConfig["domain"]>, stage: apigateway.CfnStage): void {
    const domain = new apigateway.CfnDomainName(this, "Domain", {
      domainName: name,
      domainNameConfigurations: [{ certificateArn, endpointType: "REGIONAL", securityPolicy: "TLS_1_2" }],
    });
    const mapping = { apiId: this.api.ref, domainName: domain.ref, stage: stage.ref };
    new apigateway.CfnApiMapping(this, "DomainMapping", mapping);
    new CfnOutput(this, "DomainTarget", { value: domain.attrRegionalDomainName });
  }
}

/**
 * Pages of any origin may call with a link token or the session of a user. API keys belong into no page: their headers are
 * not named here, so browsers do not send them.
 */
const corsConfiguration = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "POST"],
  allowHeaders: ["content-type", accessTokenHeader, ...linkTokenHeaders],
  exposeHeaders: ["x-request-id"],
  maxAge: 86_400,
};

/** Route and status of each request; the path itself may hold a client's own reference of a user, so it is left out. */
const accessLogFields = {
  time: "$context.requestTime",
  request_id: "$context.requestId",
  route: "$context.routeKey",
  status: "$context.status",
  latency_ms: "$context.responseLatency",
  bytes: "$context.responseLength",
};
