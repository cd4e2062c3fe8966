import type { ResolvedResource } from "../../../lib/local/template/read-assembly.ts";
import type { SynthesizedService } from "../support/synthesize.ts";

/** The subject of limits: a resource with derived properties, a template, or an output. */
export interface LimitSubject {
  readonly type: string;
  /** Name of the subject in findings. */
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

type Properties = LimitSubject["properties"];
type Extend = (resource: ResolvedResource, all: readonly ResolvedResource[]) => Properties;

const ofType = (all: readonly ResolvedResource[], type: string) => all.filter((resource) => resource.type === type);
const listOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[]) : []);
const includes = (value: unknown, text: string | undefined) => listOf(value).includes(text);

/** Derived properties of each type, for limits that combine several places. */
const extensions: Readonly<Record<string, Extend>> = {
  "AWS::IAM::ManagedPolicy": ({ properties }) => {
    const statements = listOf((properties.PolicyDocument as Properties).Statement) as Properties[];
    const all = (element: string) => statements.flatMap((statement) => [statement[element] ?? []].flat());
    const PolicyText = JSON.stringify(properties.PolicyDocument);
    return { PolicyText, PolicyResources: all("Resource"), PolicyActions: all("Action") };
  },
  "AWS::IAM::Role": ({ name, properties }, all) => ({
    AllManagedPolicies: [
      ...listOf(properties.ManagedPolicyArns),
      ...ofType(all, "AWS::IAM::ManagedPolicy").filter((policy) => includes(policy.properties.Roles, name)),
    ],
    InlinePolicies: [
      ...listOf(properties.Policies).map((policy) => (policy as Properties).PolicyDocument),
      ...ofType(all, "AWS::IAM::Policy").flatMap((policy) =>
        includes(policy.properties.Roles, name) ? [policy.properties.PolicyDocument] : [],
      ),
    ],
  }),
  "AWS::Lambda::Function": ({ arn, properties }, all) => ({
    EnvironmentNames: Object.keys((properties.Environment as { Variables?: object } | undefined)?.Variables ?? {}),
    Permissions: ofType(all, "AWS::Lambda::Permission").flatMap((permission) =>
      permission.properties.FunctionName === arn ? [permission.properties] : [],
    ),
  }),
  "AWS::Lambda::EventSourceMapping": ({ properties }, all) => {
    const queue = ofType(all, "AWS::SQS::Queue").find(({ arn }) => arn === properties.EventSourceArn);
    const fn = ofType(all, "AWS::Lambda::Function").find(({ arn }) => arn === properties.FunctionName);
    if (!queue || !fn) return {};
    return {
      VisibleAfterTimeoutS: Number(queue.properties.VisibilityTimeout ?? 30) - Number(fn.properties.Timeout),
      ...(properties.MaximumBatchingWindowInSeconds ? {} : { BatchOfQueueAtOnce: properties.BatchSize }),
    };
  },
  "AWS::SQS::Queue": ({ name, properties }) => (properties.FifoQueue ? { FifoQueueName: name } : {}),
  "AWS::DynamoDB::Table": ({ properties }) => ({
    UnmatchedAttributes: unmatchedAttributes(properties),
    ProjectedAttributes: listOf(properties.GlobalSecondaryIndexes).flatMap((index) =>
      listOf((index as { Projection?: Properties }).Projection?.NonKeyAttributes),
    ),
  }),
  "AWS::CloudWatch::Alarm": ({ properties }) =>
    properties.Period ? { EvaluatedSeconds: Number(properties.Period) * Number(properties.EvaluationPeriods) } : {},
  "AWS::CloudWatch::Dashboard": ({ properties }) => ({
    Widgets: listOf((JSON.parse(String(properties.DashboardBody)) as Properties).widgets),
  }),
  "AWS::WAFv2::WebACL": ({ properties }) => ({
    Capacity: listOf(properties.Rules).reduce<number>((sum, rule) => sum + capacityOf(rule), 0),
  }),
};

/** Attributes that a key uses without a definition, or that are defined and unused. */
function unmatchedAttributes({
  KeySchema,
  GlobalSecondaryIndexes,
  LocalSecondaryIndexes,
  ...rest
}: Properties): string[] {
  const indexes = [...listOf(GlobalSecondaryIndexes), ...listOf(LocalSecondaryIndexes)] as Properties[];
  const schemas = [KeySchema, ...indexes.map((index) => index.KeySchema)];
  const namesIn = (list: unknown) => new Set(listOf(list).map((one) => String((one as Properties).AttributeName)));
  const inKeys = namesIn(schemas.flatMap(listOf));
  return [...inKeys.symmetricDifference(namesIn(rest.AttributeDefinitions))];
}

/**
 * Web ACL capacity units of AWS managed rule groups (AWS WAF Developer Guide, "AWS Managed Rules rule groups list").
 */
const capacities: Readonly<Record<string, number>> = {
  AWSManagedRulesCommonRuleSet: 700,
  AWSManagedRulesKnownBadInputsRuleSet: 200,
  AWSManagedRulesAmazonIpReputationList: 25,
};
/** Capacity of a rate-based rule (AWS WAF Developer Guide, "Rate-based rule statement"). */
const RATE_CAPACITY = 2;

function capacityOf(rule: unknown): number {
  const { Statement } = rule as { Statement: { ManagedRuleGroupStatement?: { Name: string } } };
  const { Name } = Statement.ManagedRuleGroupStatement ?? {};
  const capacity = Name === undefined ? RATE_CAPACITY : capacities[Name];
  if (capacity === undefined) throw new Error(`the capacity of ${Name} is not known`);
  return capacity;
}

/** The part of a synthesized service that limits need. */
interface Service {
  readonly assembly: Pick<SynthesizedService["assembly"], "account" | "resources">;
  readonly templates: readonly Pick<SynthesizedService["templates"][number], "name" | "text">[];
}

/** Lists all subjects of a service, with names and ARNs of maximum length on AWS. */
export function listLimitSubjects({ assembly, templates }: Service): LimitSubject[] {
  const resources = lengthened(assembly.resources);
  const extended = resources.map((resource) => ({
    type: resource.type,
    name: `${resource.stack}/${resource.logicalId}`,
    properties: {
      ...resource.properties,
      ...extensions[resource.type]?.(resource, resources),
      Account: assembly.account,
    },
  }));
  return [...extended, ...templates.flatMap(partsOfTemplate)];
}

function partsOfTemplate({ name, text }: Service["templates"][number]): LimitSubject[] {
  const parsed = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>> | undefined>;
  const { Resources = {}, Outputs = {} } = parsed;
  const properties = { ...parsed, Name: name, Text: text, LogicalIds: Object.keys(Resources) };
  const outputs = Object.entries(Outputs).map(([Id, { Value, Export }]) => ({
    type: "Output",
    name: `${name}/${Id}`,
    properties: { Id, Value, ExportName: (Export as { Name?: unknown } | undefined)?.Name },
  }));
  return [{ type: "Template", name, properties }, ...outputs];
}

/** CloudFormation's suffix for a name that it creates from stack and logical id: a hyphen and thirteen characters. */
const SUFFIX = "-1A2B3C4D5E6F7";

/** Resources with the longest partition and region in ARNs, and with CloudFormation's suffix in names. */
function lengthened(resources: readonly ResolvedResource[]): ResolvedResource[] {
  const made = new Set(resources.map(({ name, stack, logicalId }) => (isMade(name, stack, logicalId) ? name : "")));
  const text = JSON.stringify(resources)
    .replaceAll(/[\w-]+/g, (word) => (made.has(word) ? `${word}${SUFFIX}` : word))
    .replaceAll("arn:aws:", "arn:aws-us-gov:")
    .replaceAll("us-east-1", "us-gov-west-1");
  return JSON.parse(text) as ResolvedResource[];
}

const isMade = (name: string, stack: string, logicalId: string) =>
  name.toLowerCase() === `${stack}-${logicalId}`.toLowerCase();
