import { callAws } from "./command.ts";
import { DEPLOYING_ROLE } from "./deploying-role.ts";
import { listTemplateResources } from "./template-resources.ts";

type Listed = Readonly<Record<string, unknown>>;

/** How the account lists the resources of one type. */
interface Listing {
  readonly type: string;
  readonly call: readonly [service: string, operation: string, input?: object];
  /** Field of the response with the list. */
  readonly list: string;
  /** Field of an element with its name; undefined for a list of names. */
  readonly name?: string;
}

const listings: readonly Listing[] = [
  { type: "AWS::DynamoDB::Table", call: ["dynamodb", "ListTables"], list: "TableNames" },
  { type: "AWS::S3::Bucket", call: ["s3", "ListBuckets"], list: "Buckets", name: "Name" },
  { type: "AWS::KMS::Key", call: ["kms", "ListKeys"], list: "Keys", name: "KeyId" },
  { type: "AWS::SecretsManager::Secret", call: ["secretsmanager", "ListSecrets"], list: "SecretList", name: "Name" },
  { type: "AWS::Lambda::Function", call: ["lambda", "ListFunctions"], list: "Functions", name: "FunctionName" },
  { type: "AWS::SQS::Queue", call: ["sqs", "ListQueues"], list: "QueueUrls" },
  { type: "AWS::IAM::Role", call: ["iam", "ListRoles"], list: "Roles", name: "RoleName" },
  { type: "AWS::IAM::ManagedPolicy", call: ["iam", "ListPolicies", { Scope: "Local" }], list: "Policies", name: "Arn" },
  { type: "AWS::Logs::LogGroup", call: ["logs", "DescribeLogGroups"], list: "logGroups", name: "logGroupName" },
  { type: "AWS::ApiGatewayV2::Api", call: ["apigatewayv2", "GetApis"], list: "Items", name: "ApiId" },
  { type: "AWS::Events::Rule", call: ["events", "ListRules"], list: "Rules", name: "Name" },
  { type: "AWS::SNS::Topic", call: ["sns", "ListTopics"], list: "Topics", name: "TopicArn" },
  {
    type: "AWS::StepFunctions::StateMachine",
    call: ["stepfunctions", "ListStateMachines"],
    list: "stateMachines",
    name: "name",
  },
];

/** Resources that exist before the first deployment, and stay: those of `cdk bootstrap`, and the role that deploys. */
const isEarlier = (name: string) =>
  name.includes("cdk-hnb659fds") || name.startsWith("CDKToolkit") || name === DEPLOYING_ROLE;

/** Names of the resources that the account has, by type, without those of `cdk bootstrap` and types that it has none of. */
export async function listLeft(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { type, call, list, name } of listings) {
    const elements: readonly (string | Listed)[] = (await callAws(...call))[list] ?? [];
    const names = elements.map((one) => String(typeof one === "string" ? one : one[name ?? ""]));
    const own = names.filter((one) => !isEarlier(one));
    if (own.length > 0) found[type] = own.sort();
  }
  return found;
}

/** Number of resources that the templates in cdk.out/ retain, by type. */
export function countRetained(): Record<string, number> {
  const retained = listTemplateResources().filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith("Retain"));
  const types = retained.map(([, { Type }]) => Type);
  const listed = listings.map(({ type }) => type);
  const other = types.filter((type) => !listed.includes(type));
  if (other.length > 0) throw new Error(`no listing of ${other.join(", ")}`);
  return Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, some]) => [type, some.length]));
}
