import { App, Aws } from "aws-cdk-lib/core";
import { consumers, endpoints } from "../../functions/index.ts";
import { ApiGroupStack } from "./api-group-stack.ts";
import { type DeploymentConfig, hasQueue, readConfig } from "./config.ts";
import { ConsumersStack } from "./consumers-stack.ts";
import { DashboardStack } from "./dashboard-stack.ts";
import { DataStack } from "./data-stack.ts";
import { DeletionStack } from "./deletion-stack.ts";
import { EdgeStack, edgeSecretOf } from "./edge-stack.ts";
import { HttpApiStack, mainApi } from "./http-api-stack.ts";
import { MessagingStack } from "./messaging-stack.ts";
import { OperationsStack } from "./operations-stack.ts";
import type { World } from "./world.ts";

/** Context that makes `cdk synth` deterministic on every machine. */
const context = {
  "aws:cdk:version-reporting": false,
  "@aws-cdk/core:stackRelativeExports": true,
  // A stack cannot remove or replace a resource that another stack still uses.
  "@aws-cdk/core:defaultCrossStackReferences": "strong",
};

/** The folder whose endpoints belong to both APIs. */
const BOTH = "service";

/**
 * Builds the whole service as one CDK app.
 * @param settings context that overrides cdk.json.
 * @param outdir output directory for the local service. By default CDK's command line sets it.
 */
export function tributaryApp(settings: Readonly<Record<string, unknown>> = {}, outdir?: string): App {
  const app = new App({
    context: { ...context, ...settings },
    ...(outdir ? { outdir } : {}),
    analyticsReporting: false,
    // The validation takes longer than the rest of the synthesis, so it runs only for deployments.
    builtinCloudFormationValidation: outdir === undefined,
  });
  const config = readConfig(app);
  const describe = (what: string) => ({ stackName: `${config.name}-${what}`, description: `${config.name}: ${what}` });
  const data = new DataStack(app, `${config.name}-Data`, { ...describe("Data"), config });
  const keyed = { config, dataKey: data.dataKey };
  const operations = new OperationsStack(app, `${config.name}-Operations`, { ...describe("Operations"), ...keyed });
  const { alarms } = operations;
  const messaging = new MessagingStack(app, `${config.name}-Events`, { ...describe("Events"), ...keyed, alarms });
  const http = (what: string, apiName: string) =>
    new HttpApiStack(app, `${config.name}-${what}`, { ...describe(what), ...keyed, apiName });
  const api = http("Api", mainApi);
  const management = http("Management", "management");
  const front = edgeOf(app, { config, data, api });
  const base = worldOf({ config, data, operations, messaging, baseUrl: front?.baseUrl ?? api.baseUrl });
  const deletion = new DeletionStack(app, `${config.name}-Deletion`, { ...describe("Deletion"), world: base });
  const world = { ...base, deletionMachineArn: deletion.machineArn, deletionExecutionsArn: deletion.executionsArn };
  const contracts = fedConsumers(config);
  new ConsumersStack(app, `${config.name}-Consumers`, { ...describe("Consumers"), contracts, world });
  addEndpoints(app, { world, api, management, front });
  if (config.dashboard) {
    new DashboardStack(app, `${config.name}-Dashboard`, {
      ...describe("Dashboard"),
      logPrefix: `/${config.name.toLowerCase()}/`,
      apis: { main: api, management },
      ...messaging.watched,
    });
  }
  return app;
}

/** The consumers with an event source in this deployment. The tasks of the deletion machine are in its own stack. */
const fedConsumers = (config: DeploymentConfig) =>
  consumers.filter(
    ({ trigger }) => trigger.kind !== "task" && (trigger.kind !== "queue" || hasQueue(config, trigger.queue)),
  );

interface Fronts {
  readonly world: World;
  readonly api: HttpApiStack;
  readonly management: HttpApiStack;
  readonly front: EdgeStack | undefined;
}

/** Adds a stack for each folder of endpoints. */
function addEndpoints(app: App, { world, api, management, front }: Fronts): void {
  const { name } = world.config;
  for (const [tag, contracts] of Map.groupBy(endpoints, (contract) => contract.tag)) {
    const stackName = `${name}-Api-${tag}`;
    // A folder with management routes belongs to the management API.
    const isManagement = contracts.some(({ auth }) => auth === "management");
    const owners = tag === BOTH ? [api, management] : [isManagement ? management : api];
    const apis = owners.map((owner) => owner.api);
    // Endpoints of both APIs are also reachable without CloudFront, so they cannot require its secret.
    const isGuarded = front !== undefined && owners.every((owner) => owner === api);
    const guarded = { ...world, edgeSecret: isGuarded ? edgeSecretOf(name) : undefined };
    const described = { stackName, description: `${name}: Api-${tag}` };
    const group = new ApiGroupStack(app, stackName, { ...described, apis, contracts, world: guarded });
    if (isGuarded) group.addStackDependency(front, "CloudFront must send the secret before functions require it");
  }
}

/** Adds CloudFront in front of the main API, if configured. */
function edgeOf(
  app: App,
  { config, data, api }: { config: DeploymentConfig; data: DataStack; api: HttpApiStack },
): EdgeStack | undefined {
  const { edge, name } = config;
  if (!edge) return undefined;
  const stackName = `${name}-Edge`;
  const described = { stackName, description: `${name}: Edge` };
  const front = new EdgeStack(app, stackName, { ...described, name, edge, apiAddress: api.baseUrl });
  front.addStackDependency(data, "the data stack creates the secret");
  return front;
}

interface Made {
  readonly config: DeploymentConfig;
  readonly data: DataStack;
  readonly operations: OperationsStack;
  readonly messaging: MessagingStack;
  readonly baseUrl: string;
}

/** The resources for grants, before the deletion machine exists: its steps need these resources. */
function worldOf({ config, data, operations, messaging, baseUrl }: Made): World {
  return {
    config,
    dataKey: data.dataKey,
    bus: messaging.bus,
    alarms: operations.alarms,
    tracing: operations.tracing,
    baseUrl,
    edgeSecret: undefined,
    deletionMachineArn: Aws.NO_VALUE,
    deletionExecutionsArn: Aws.NO_VALUE,
    bucket: (resource) => found(data.buckets, resource.name),
    table: (resource) => found(data.tables, resource.name),
    queue: (resource) => messaging.queue(resource),
    key: (resource) => found(data.keys, resource.name),
    secret: (resource) => found(data.secrets, resource.name),
  };
}

function found<T>(constructs: Readonly<Record<string, T>>, name: string): T {
  const construct = constructs[name];
  if (!construct) throw new Error(`no construct exists for ${name}`);
  return construct;
}
