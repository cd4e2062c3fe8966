import * as lambda from "aws-cdk-lib/aws-lambda";
import { ArnFormat, Aws, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { DeploymentResources } from "../deployment-resources.ts";
import { findConsumer, ServiceFunction } from "../service-function.ts";

/**
 * The function that exports spans. The log group of every other function sends it the lines of spans, after the request
 * and without a call by the function.
 */
export class TracesStack extends Stack {
  readonly exporterArn: string;

  constructor(scope: Construct, id: string, { world, ...props }: StackProps & { world: DeploymentResources }) {
    super(scope, id, props);
    const { config } = world;
    const exporter = new ServiceFunction(this, findConsumer("exportSpans"), world);
    exporter.lambda.addEnvironment("OTLP_ENDPOINT", config.traceExport?.endpoint ?? "");
    const { headersSecretArn } = config.traceExport ?? {};
    if (headersSecretArn !== undefined) {
      exporter.allow(["secretsmanager:GetSecretValue"], headersSecretArn);
      exporter.lambda.addEnvironment("OTLP_HEADERS_SECRET", headersSecretArn);
    }
    new lambda.CfnPermission(this, "LogDelivery", {
      action: "lambda:InvokeFunction",
      functionName: exporter.lambda.functionArn,
      principal: "logs.amazonaws.com",
      sourceAccount: Aws.ACCOUNT_ID,
      sourceArn: this.formatArn({
        service: "logs",
        resource: "log-group",
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        resourceName: `/${config.name.toLowerCase()}/*`,
      }),
    });
    this.exporterArn = exporter.lambda.functionArn;
  }
}
