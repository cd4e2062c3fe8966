import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, CfnOutput, RemovalPolicy, Stack } from "aws-cdk-lib";
import { CfnApi, CfnIntegration, CfnRoute } from "aws-cdk-lib/aws-apigatewayv2";
import { AttributeType, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import { EventBus, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { DefinitionBody, StateMachine, Wait, WaitTime } from "aws-cdk-lib/aws-stepfunctions";
import { type ResolvedAssembly, readAssembly } from "../../../lib/local/template/read-assembly.ts";

/** Storage that the other stack of the sample app references. */
class DataStack extends Stack {
  readonly table: Table;
  readonly queue = new Queue(this, "Ingestion");
  readonly bus = new EventBus(this, "Events");
  readonly bucket = new Bucket(this, "Batches");
  readonly key = new Key(this, "Secrets", { alias: "secrets", removalPolicy: RemovalPolicy.DESTROY });
  readonly machine: StateMachine;

  constructor(app: App) {
    super(app, "Data");
    const pk = { name: "pk", type: AttributeType.STRING };
    const sk = { name: "sk", type: AttributeType.STRING };
    this.table = new Table(this, "Directory", {
      partitionKey: pk,
      sortKey: sk,
      billingMode: BillingMode.PAY_PER_REQUEST,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: "by_team",
      partitionKey: { name: "team", type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    const grace = new Wait(this, "Grace", { time: WaitTime.secondsPath("$.seconds") });
    this.machine = new StateMachine(this, "Deletion", { definitionBody: DefinitionBody.fromChainable(grace) });
    const source = { source: ["sample"] };
    new Rule(this, "ToQueue", { eventBus: this.bus, eventPattern: source, targets: [new SqsQueue(this.queue)] });
  }
}

/** Three functions: with inline and managed policies, with an attached policy, and without a policy. */
class ApiStack extends Stack {
  constructor(app: App, data: DataStack, codeDirectory: string) {
    super(app, "Api");
    const assumedBy = new ServicePrincipal("lambda.amazonaws.com");
    const tables = new ManagedPolicy(this, "Tables", { statements: tableStatements(data.table) });
    const role = new Role(this, "PutUserRole", { assumedBy, managedPolicies: [tables] });
    role.addToPolicy(otherResources(data));
    const putUser = new LambdaFunction(this, "PutUser", {
      runtime: Runtime.NODEJS_22_X,
      handler: "index.handler",
      code: Code.fromAsset(codeDirectory),
      role,
      environment: { TABLE: data.table.tableName, QUEUE: data.queue.queueUrl, BUS: data.bus.eventBusName },
    });
    const code = Code.fromInline("exports.handler = async () => {};");
    const other = { runtime: Runtime.NODEJS_22_X, handler: "index.handler", code };
    data.queue.grantSendMessages(new LambdaFunction(this, "SendOnly", other));
    new LambdaFunction(this, "Idle", { ...other, functionName: "idle-function" });
    const api = new CfnApi(this, "HttpApi", { name: "main", protocolType: "HTTP" });
    const uri = `arn:${this.partition}:apigateway:${this.region}:lambda:path/2015-03-31/functions/${putUser.functionArn}/invocations`;
    const integration = {
      apiId: api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: uri,
      payloadFormatVersion: "2.0",
    };
    const { ref } = new CfnIntegration(this, "Integration", integration);
    new CfnRoute(this, "Route", { apiId: api.ref, routeKey: "PUT /users/{id}", target: `integrations/${ref}` });
    new CfnOutput(this, "Address", { value: api.attrApiEndpoint });
  }
}

/** Reads and writes limited to keys that start with `user#` or `team#`. */
function tableStatements(table: Table): PolicyStatement[] {
  const actions = ["GetItem", "PutItem", "UpdateItem", "Query", "BatchWriteItem", "ConditionCheckItem"];
  return [
    new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [table.tableArn, `${table.tableArn}/index/by_team`],
      conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["user#*", "team#*"] } },
    }),
  ];
}

function otherResources(data: DataStack): PolicyStatement {
  return new PolicyStatement({
    actions: [
      "sqs:SendMessage",
      "events:PutEvents",
      "s3:PutObject",
      "s3:GetObject",
      "kms:GenerateDataKey",
      "states:Start*",
    ],
    resources: [
      data.queue.queueArn,
      data.bus.eventBusArn,
      data.bucket.arnForObjects("*"),
      data.key.keyArn,
      data.machine.stateMachineArn,
    ],
  });
}

/** The synthesized and loaded sample app; `remove` deletes its files. */
export interface SampleApp {
  readonly assembly: ResolvedAssembly;
  /** The code file of PutUser. */
  readonly handlerSource: string;
  remove(): void;
}

/** Synthesizes the sample app into a temporary directory and loads it. */
export function sampleApp(queueOrigin: string): SampleApp {
  const directory = mkdtempSync(join(tmpdir(), "sample-app-"));
  const codeDirectory = join(directory, "code");
  mkdirSync(codeDirectory);
  const handlerSource = "exports.handler = async () => ({ statusCode: 200 });\n";
  writeFileSync(join(codeDirectory, "index.js"), handlerSource);
  const app = new App({ outdir: join(directory, "cdk.out"), analyticsReporting: false });
  new ApiStack(app, new DataStack(app), codeDirectory);
  const place = { region: "eu-central-1", queueOrigin, apiOrigins: { main: "http://127.0.0.1:3000" } };
  const assembly = readAssembly(app.synth().directory, place);
  return { assembly, handlerSource, remove: () => rmSync(directory, { recursive: true }) };
}
