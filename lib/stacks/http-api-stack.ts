import * as apigateway from "aws-cdk-lib/aws-apigatewayv2";
import type * as kms from "aws-cdk-lib/aws-kms";
import * as logs from "aws-cdk-lib/aws-logs";
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { accessTokenHeader, linkTokenHeaders } from "../contract/compatibility.ts";
import type { DeploymentConfig } from "./config.ts";
import { addReleaseAlarm, releaseAlarmName } from "./operations/release-alarm.ts";

/** Name of the API for applications, browsers and phones. */
export const MAIN_API = "main";

/** Maximum throttle burst of an account (API Gateway quotas). */
const MAX_BURST = 5_000;

/** An HTTP API without routes. The group stacks add the routes. */
export class HttpApiStack extends Stack {
  readonly api: apigateway.CfnApi;
  /** Name of the alarm that ends gradual releases; undefined without them. */
  readonly releaseAlarm: string | undefined;
  /** URL of the API, without trailing slash. */
  readonly baseUrl: string;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { apiName: string; config: DeploymentConfig; dataKey: kms.Key },
  ) {
    super(scope, id, props);
    const { apiName, config } = props;
    const domain = apiName === MAIN_API ? config.domain : undefined;
    this.api = new apigateway.CfnApi(this, "Api", {
      name: apiName,
      protocolType: "HTTP",
      // CloudFront then uses the custom domain, and no other client needs the default URL.
      ...(domain && config.edge ? { disableExecuteApiEndpoint: true } : {}),
      ...(apiName === MAIN_API ? { corsConfiguration } : {}),
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
      defaultRouteSettings: routeSettings(config),
    });
    this.releaseAlarm = config.gradualReleases === "off" ? undefined : releaseAlarmName(config.name, apiName);
    if (this.releaseAlarm !== undefined) addReleaseAlarm(this, this.api.ref, this.releaseAlarm);
    if (domain) this.#answerTo(domain, stage);
    // Exported even with a custom domain: a stack cannot remove an export that other stacks still import.
    if (apiName === MAIN_API) this.exportValue(this.api.attrApiEndpoint);
    this.baseUrl = domain ? `https://${domain.name}` : this.api.attrApiEndpoint;
    new CfnOutput(this, "Address", { value: this.baseUrl });
  }

  /** Adds a custom domain. Its DNS zone needs an alias or CNAME record to the output `DomainTarget`. */
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

/** Metrics of each route would cost $0.30 a month apiece. Functions count their own, and logs name the route. */
const routeSettings = ({ stageRequestsPerSecond }: DeploymentConfig): apigateway.CfnStage.RouteSettingsProperty => ({
  detailedMetricsEnabled: false,
  throttlingRateLimit: stageRequestsPerSecond,
  throttlingBurstLimit: Math.min(stageRequestsPerSecond, MAX_BURST),
});

/**
 * Pages of any origin may call with a link token or a user session. API keys must not be used in pages: their headers
 * are not allowed here, so browsers do not send them.
 */
const corsConfiguration = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "POST"],
  allowHeaders: ["content-type", accessTokenHeader, ...linkTokenHeaders],
  exposeHeaders: ["x-request-id"],
  maxAge: 86_400,
};

/** Fields of the access log. The path is left out, because it may contain a client's reference of a user. */
const accessLogFields = {
  time: "$context.requestTime",
  request_id: "$context.requestId",
  route: "$context.routeKey",
  status: "$context.status",
  latency_ms: "$context.responseLatency",
  bytes: "$context.responseLength",
};
