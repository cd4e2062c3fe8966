import { endpoints } from "../../functions/index.ts";
import type { Auth, EndpointContract } from "../../lib/contract/endpoint.ts";
import { teamFeatures } from "../../lib/domain/management/team-features.ts";
import { readHttpApis } from "../../lib/local/template/read-resources.ts";
import { createLinkToken } from "../local/service/connections/link-helpers.ts";
import { openConsole } from "../local/service/console/console-helpers.ts";
import { createTeamWithFeatures } from "../local/service/lab-reports/report-helpers.ts";
import { orderRequest, sandboxLabTests } from "../local/service/orders/order-helpers.ts";
import type { Answer, TestService } from "../support/service.ts";

/** A route, and the function behind it. */
export interface FuzzTarget {
  readonly contract: EndpointContract;
  readonly arn: string;
  readonly path: string;
}

/** A caller with every right in a team, until requests revoke it. */
export interface FuzzWorld {
  /** Ids by the singular name of their resource. */
  readonly known: Readonly<Record<string, string>>;
  /** The headers of each kind of credential. */
  readonly credentials: Readonly<Record<Auth, Readonly<Record<string, string>>>>;
}

/** Lists every route of the service, with each of its paths. */
export function listFuzzTargets(service: TestService): FuzzTarget[] {
  const routes = readHttpApis(service.cloud.assembly).flatMap((api) => api.routes);
  const functions = new Map(routes.map(({ routeKey, functionArn }) => [routeKey, functionArn]));
  return endpoints.flatMap((contract) =>
    [contract.path, ...contract.aliases].map((path) => {
      const arn = functions.get(contract.method === "ANY" ? "$default" : `${contract.method} ${path}`);
      if (arn === undefined) throw new Error(`no route ${contract.method} ${path}`);
      return { contract, arn, path };
    }),
  );
}

type SendRequest = (method: string, path: string, body?: object) => Promise<Answer["body"]>;

/** Creates a team with a user, an order and an endpoint, and another team for the management key. */
export async function createFuzzWorld(service: TestService, count: number): Promise<FuzzWorld> {
  const { org_id } = service.identity;
  const { teamId, key } = await createTeamWithFeatures(service, `Fuzzed ${count}`, teamFeatures);
  const managed = await service.createTeam(`Managed ${count}`);
  const ask: SendRequest = async (method, path, body) => {
    const options = body === undefined ? {} : { body };
    const isManagement = path.startsWith("/v1/");
    const call = isManagement ? service.manage(method, path, options) : service.call(method, path, { ...options, key });
    const answer = await call;
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { user_id } = await ask("POST", "/v2/user", { client_user_id: "fuzzed" });
  const { order } = await ask("POST", "/v3/order", orderRequest(user_id));
  const endpoint = { url: "http://127.0.0.1:9/", disabled: true };
  const webhook = await ask("POST", `/v1/org/${org_id}/team/${managed.teamId}/sandbox/webhook`, endpoint);
  const heartrate = [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }];
  const batch = { provider: "apple_health_kit", source_type: "watch", resources: { heartrate } };
  const { receipt_id } = await ask("POST", `/v2/ingest/${user_id}`, batch);
  const known = {
    org_id,
    team_id: managed.teamId,
    user_id,
    client_user_id: "fuzzed",
    order_id: order.id,
    transaction_id: order.order_transaction.id,
    webhook_id: webhook.id,
    receipt_id,
    lab_test_id: sandboxLabTests.walk_in_test,
    "x-idempotency-key": `once ${count}`,
  };
  return { known, credentials: await createCredentials(service, ask, { teamId, key, userId: user_id }) };
}

async function createCredentials(
  service: TestService,
  ask: SendRequest,
  { teamId, key, userId }: { readonly teamId: string; readonly key: string; readonly userId: string },
): Promise<FuzzWorld["credentials"]> {
  const { org_id, management_key } = service.identity;
  const labKey = { label: "reports", team_id: teamId, lab: "quest" };
  const { value: lab } = await ask("POST", `/v1/org/${org_id}/team_api_keys/sandbox/us`, labKey);
  const { url } = await ask("GET", "/v2/team/svix/url");
  const { sign_in_token } = await ask("POST", `/v2/user/${userId}/sign_in_token`);
  const session = await service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } });
  return {
    none: {},
    team: { "x-service-api-key": key },
    console: await openConsole(service, { key }),
    management: { "x-management-key": management_key },
    lab: { "x-lab-key": lab },
    link: (await createLinkToken(service, userId, {}, key)).headers,
    portal: { "x-portal-session": new URL(url).hash.slice(1) },
    // This credential leads to a report that takes seconds to parse. Without a report, requests test only the
    // rejection.
    review: { "x-review-link": "0".repeat(43) },
    session: { authorization: `Bearer ${session.body.access_token}` },
  };
}
