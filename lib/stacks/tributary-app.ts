import { App, Aws } from "aws-cdk-lib/core";
import { consumers, endpoints } from "../../functions/index.ts";
import { isOnMainApiToo } from "../contract/console/console-path.ts";
import type { ConsumerContract } from "../contract/consumer.ts";
import { ApiGroupStack } from "./api-group-stack.ts";
import { type DeploymentConfig, hasConsumer, readConfig } from "./config.ts";
import { ConsumersStack } from "./consumers-stack.ts";
import { DashboardStack } from "./dashboard-stack.ts";
import { DataStack } from "./data-stack.ts";
import { DeletionStack } from "./deletion-stack.ts";
import type { DeploymentResources } from "./deployment-resources.ts";
import { EdgeStack, edgeSecretReference } from "./edge-stack.ts";
import { HttpApiStack, MAIN_API } from "./http-api-stack.ts";
import { MessagingStack } from "./messaging-stack.ts";
import { applyAccountRules } from "./operations/apply-account-rules.ts";
import { ServiceLevelsStack } from "./operations/service-levels-stack.ts";
import { TracesStack } from "./operations/traces-stack.ts";
import { OperationsStack } from "./operations-stack.ts";
import { type CoreStack, describeStack, hasStack } from "./stack-names.ts";

/** Context that makes `cdk synth` deterministic on every machine. */
const fixedContext = {
  "aws:cdk:version-reporting": false,
  "@aws-cdk/core:stackRelativeExports": true,
  // A stack cannot remove or replace a resource that another stack still uses.
  "@aws-cdk/core:defaultCrossStackReferences": "strong",
};

/** The folder whose endpoints belong to both APIs. */
const SHARED_TAG = "service";

/**
 * Builds the whole service as one CDK app.
 * @param settings context that overrides cdk.json.
 * @param outdir output directory for the local service. By default CDK's command line sets it.
 */
export function createTributaryApp(settings: Readonly<Record<string, unknown>> = {}, outdir?: string): App {
  const app = new App({
    context: { ...fixedContext, ...settings },
    ...(outdir ? { outdir } : {}),
    analyticsReporting: false,
    // The validation takes longer than the rest of the synthesis, so it runs only for deployments.
    builtinCloudFormationValidation: outdir === undefined,
  });
  addStacks(app, readConfig(app));
  return app;
}

/** Adds all stacks in the order in which they refer to each other. */
function addStacks(app: App, config: DeploymentConfig): void {
  const id = (stack: CoreStack) => describeStack(config, stack).stackName;
  const describe = (stack: CoreStack) => describeStack(config, stack);
  const data = new DataStack(app, id("Data"), { ...describe("Data"), config });
  const keyed = { config, dataKey: data.dataKey };
  const operations = new OperationsStack(app, id("Operations"), { ...describe("Operations"), ...keyed });
  const { alarms } = operations;
  const messaging = new MessagingStack(app, id("Events"), { ...describe("Events"), ...keyed, alarms });
  const api = new HttpApiStack(app, id("Api"), { ...describe("Api"), ...keyed, apiName: MAIN_API });
  const management = new HttpApiStack(app, id("Management"), {
    ...describe("Management"),
    ...keyed,
    apiName: "management",
  });
  const front = createEdge(app, { config, data, api });
  const baseUrl = front?.baseUrl ?? api.baseUrl;
  const edgeOrigin = api.baseUrl;
  const plain = createDeploymentResources({ config, data, operations, messaging, baseUrl, edgeOrigin });
  const base = withSpanExporter(app, plain);
  const deletion = new DeletionStack(app, id("Deletion"), { ...describe("Deletion"), world: base });
  const world = { ...base, deletionMachineArn: deletion.machineArn, deletionExecutionsArn: deletion.executionsArn };
  const contracts = listFedConsumers(config);
  requireConsumers(config, contracts);
  new ConsumersStack(app, id("Consumers"), { ...describe("Consumers"), contracts, world });
  addEndpoints(app, { world, api, management, front });
  if (hasStack(config, "ServiceLevels"))
    new ServiceLevelsStack(app, id("ServiceLevels"), { ...describe("ServiceLevels"), config, api, alarms });
  applyAccountRules(app, operations, config);
  if (hasStack(config, "Dashboard")) {
    new DashboardStack(app, id("Dashboard"), {
      ...describe("Dashboard"),
      logPrefix: `/${config.name.toLowerCase()}/`,
      apis: { main: api, management },
      ...messaging.dashboardQueues,
    });
  }
}

/** Adds the export of spans, if configured. */
function withSpanExporter(app: App, world: DeploymentResources): DeploymentResources {
  if (!hasStack(world.config, "Traces")) return world;
  const described = describeStack(world.config, "Traces");
  const { exporterArn } = new TracesStack(app, described.stackName, { ...described, world });
  return { ...world, spanExporterArn: exporterArn };
}

/** The consumers with an event source in this deployment, but those of stacks of their own. */
const listFedConsumers = (config: DeploymentConfig) =>
  consumers.filter((contract) => {
    const { trigger } = contract;
    const isElsewhere = trigger.kind === "task" || (trigger.kind === "setting" && trigger.setting === "traceExport");
    return !isElsewhere && hasConsumer(config, contract);
  });

/** @throws Error if the setting `maxConcurrency` names an operation that no queue of this deployment invokes. */
function requireConsumers({ maxConcurrency }: DeploymentConfig, contracts: readonly ConsumerContract[]): void {
  const known = contracts.filter(({ trigger }) => trigger.kind === "queue").map(({ operationId }) => operationId);
  const unknown = Object.keys(maxConcurrency).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(`maxConcurrency: no queue invokes ${unknown.join(", ")}; queues invoke: ${known.join(", ")}`);
}

interface EndpointHosts {
  readonly world: DeploymentResources;
  readonly api: HttpApiStack;
  readonly management: HttpApiStack;
  readonly front: EdgeStack | undefined;
}

/** Adds a stack for each folder of endpoints. */
function addEndpoints(app: App, { world, api, management, front }: EndpointHosts): void {
  const { name } = world.config;
  for (const [tag, contracts] of Map.groupBy(endpoints, (contract) => contract.tag)) {
    const described = describeStack(world.config, `Api-${tag}`);
    // A folder with management routes belongs to the management API.
    const isManagement = contracts.some(({ auth }) => auth === "management");
    const owners = tag === SHARED_TAG ? [api, management] : [isManagement ? management : api];
    const apis = owners.map((owner) => owner.api);
    // Endpoints of both APIs are also reachable without CloudFront, so they cannot require its secret.
    const isReachedThroughEdge = isManagement ? contracts.some(isOnMainApiToo) : tag !== SHARED_TAG;
    const isGuarded = front !== undefined && isReachedThroughEdge;
    const guarded = { ...world, edgeSecret: isGuarded ? edgeSecretReference(name) : undefined };
    const releaseAlarms = owners.flatMap((owner) => owner.releaseAlarm ?? []);
    const props = { ...described, apis, consoleApi: api.api, contracts, releaseAlarms, world: guarded };
    const group = new ApiGroupStack(app, described.stackName, props);
    if (isGuarded) group.addStackDependency(front, "CloudFront must send the secret before functions require it");
  }
}

/** Adds CloudFront in front of the main API, if configured. */
function createEdge(
  app: App,
  { config, data, api }: { config: DeploymentConfig; data: DataStack; api: HttpApiStack },
): EdgeStack | undefined {
  const { edge, name, requestsPerSecond } = config;
  if (!edge) return undefined;
  const described = describeStack(config, "Edge");
  const props = { ...described, name, edge, requestsPerSecond, apiAddress: api.baseUrl };
  const front = new EdgeStack(app, described.stackName, props);
  front.addStackDependency(data, "the data stack creates the secret");
  return front;
}

interface DeploymentParts {
  readonly config: DeploymentConfig;
  readonly data: DataStack;
  readonly operations: OperationsStack;
  readonly messaging: MessagingStack;
  readonly baseUrl: string;
  readonly edgeOrigin: string;
}

/** The resources for grants, before the deletion machine exists: its steps need these resources. */
function createDeploymentResources({
  config,
  data,
  operations,
  messaging,
  baseUrl,
  edgeOrigin,
}: DeploymentParts): DeploymentResources {
  return {
    config,
    dataKey: data.dataKey,
    bus: messaging.bus,
    alarms: operations.alarms,
    tracing: operations.tracing,
    baseUrl,
    edgeSecret: undefined,
    edgeOrigin,
    spanExporterArn: undefined,
    deletionMachineArn: Aws.NO_VALUE,
    deletionExecutionsArn: Aws.NO_VALUE,
    bucket: (resource) => requireConstruct(data.buckets, resource.name),
    table: (resource) => requireConstruct(data.tables, resource.name),
    queue: (resource) => messaging.queue(resource),
    key: (resource) => requireConstruct(data.keys, resource.name),
    secret: (resource) => requireConstruct(data.secrets, resource.name),
  };
}

function requireConstruct<T>(constructs: Readonly<Record<string, T>>, name: string): T {
  const construct = constructs[name];
  if (!construct) throw new Error(`no construct exists for ${name}`);
  return construct;
}
