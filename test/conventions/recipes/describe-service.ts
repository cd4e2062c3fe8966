import { contracts } from "../../../functions/index.ts";
import { findConnector } from "../../../lib/connectors/connectors.ts";
import { entryFile } from "../../../lib/contract/entry-file.ts";
import { tableColumns } from "../../../lib/domain/queries/tables/columns.ts";
import { body } from "../../../lib/domain/summaries/body.ts";
import { dailyPayloads } from "../../../lib/events/catalogue/data-payloads.ts";
import { matchesPattern } from "../../../lib/local/events/patterns.ts";
import { readRules } from "../../../lib/local/template/read-resources.ts";
import { createOpenApiDocument } from "../../../lib/openapi/document.ts";
import { providerDefinitions } from "../../../lib/simulators/providers/provider-definitions.ts";
import { resourcesOfType, synthesizeService } from "../../template/support/synthesize.ts";

// A program of its own: it runs in a copy of the repository and prints what the service of that copy consists of.

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>;
  readonly webhooks: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}
interface Statement {
  readonly Action?: string | readonly string[];
  readonly Condition?: { readonly "ForAllValues:StringLike"?: { readonly "dynamodb:LeadingKeys"?: readonly string[] } };
}

const openApi = createOpenApiDocument() as unknown as OpenApi;
const service = synthesizeService();
const idsOf = (type: string) => resourcesOfType(service, type).map(({ logicalId }) => logicalId);

/** Names of the rules that take an event of a type. */
function rulesFor(type: string): string[] {
  const event = { source: "tributary", "detail-type": type, detail: { type, event_id: "evt_1" } };
  const rules = readRules(service.assembly).filter(({ pattern }) => pattern && matchesPattern(pattern, event));
  return rules.map(({ name }) => name);
}

/** Actions that the policies of a function allow on the items of an entity. */
function itemActionsOf(operationId: string, keyPrefix: string): string[] {
  const policies = resourcesOfType(service, "AWS::IAM::ManagedPolicy").filter(({ logicalId }) =>
    logicalId.startsWith(`${operationId}Policy`),
  );
  const statements = policies.flatMap(
    ({ properties }) => (properties.PolicyDocument as { readonly Statement: readonly Statement[] }).Statement,
  );
  const ofEntity = statements.filter(({ Condition }) =>
    Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"]?.includes(`${keyPrefix}*`),
  );
  return ofEntity.flatMap(({ Action = [] }) => Action);
}

const description = {
  files: contracts.map(entryFile),
  operations: Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
  routes: resourcesOfType(service, "AWS::ApiGatewayV2::Route").map(({ properties }) => String(properties.RouteKey)),
  functions: idsOf("AWS::Lambda::Function"),
  tables: idsOf("AWS::DynamoDB::Table"),
  connector: (await findConnector("stride"))?.slug,
  simulators: providerDefinitions.map(({ slug }) => slug),
  sourceSchema: JSON.stringify(openApi.components.schemas.Source),
  webhooks: Object.keys(openApi.webhooks),
  rulesOfEvent: rulesFor("labtest.insurance.created"),
  eventActions: itemActionsOf("createInsurance", "event#"),
  erasureActions: itemActionsOf("eraseUser", "reminder#"),
  bodyNames: {
    ingest: Object.keys(body.ingest.shape),
    response: Object.keys(openApi.components.schemas.BodyExplainableSummary?.properties ?? {}),
    event: Object.keys(dailyPayloads.get("body")?.shape ?? {}),
    webhook: Object.keys(openApi.components.schemas.BodySummary?.properties ?? {}),
    columns: Object.keys(tableColumns.body),
  },
};
/** What the program prints. */
export type ServiceDescription = typeof description;

console.log(JSON.stringify(description));
