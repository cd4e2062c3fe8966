import type { Auth } from "../../../../../lib/contract/endpoint.ts";
import { teamFeatures } from "../../../../../lib/domain/management/team-features.ts";
import type { Answer, TestService } from "../../../../support/service.ts";
import { createLinkToken } from "../../connections/link-helpers.ts";
import { openConsole } from "../../console/console-helpers.ts";
import { createTeamWithFeatures, knownRows, reportPdf, submitReport } from "../../lab-reports/report-helpers.ts";
import { createOtherOrganization } from "../../management/role-fixture.ts";
import { orderRequest } from "../../orders/order-helpers.ts";

/** A tenant with valid credentials and no access to the observed team. */
export interface OtherTenant {
  readonly name: string;
  /** Ids of the tenant's own resources, by parameter name in the singular. */
  readonly own: Readonly<Record<string, string>>;
  /** Headers of a valid credential. The second tenant calls team routes with a session of the console. */
  readonly credential: (auth: Auth) => Promise<Readonly<Record<string, string>>>;
}

interface Team {
  readonly org_id: string;
  readonly team_id: string;
  readonly api_key: string;
  /** A key with access to the team. */
  readonly management_key: string;
}

/** Creates a team of another organisation and another team of the first organization, each with a management key. */
export async function createOtherTenants(service: TestService): Promise<OtherTenant[]> {
  const elsewhere = await createOtherOrganization(service);
  const nextDoor = await createSiblingTeam(service, "Next door");
  return Promise.all([
    createTenant(service, "another organisation", elsewhere),
    createTenant(service, "another team", nextDoor, true),
  ]);
}

/** Creates another team of the first organization with an API key, and a management key for that team alone. */
export async function createSiblingTeam(service: TestService, name: string) {
  const { org_id, management_key } = service.identity;
  const { teamId: team_id, key: api_key } = await createTeamWithFeatures(service, name, teamFeatures);
  const body = { label: "sibling", role: "team_admin", team_role_bindings: [{ team_id }] };
  const bound = await service.manage("POST", `/v1/org/${org_id}/management_key`, { key: management_key, body });
  return { org_id, team_id, api_key, management_key: bound.body.key as string, keyId: bound.body.id as string };
}

/**
 * Creates a user, an order, an endpoint and a report of a team, and what creates its credentials.
 * @param isInConsole whether it calls team routes with a session of the console instead of its key.
 */
export async function createTenant(
  service: TestService,
  name: string,
  team: Team,
  isInConsole = false,
): Promise<OtherTenant> {
  const { org_id, team_id, api_key: key, management_key } = team;
  const ask = async (method: string, path: string, body?: object): Promise<Answer["body"]> => {
    const options = body === undefined ? {} : { body };
    const isManagement = path.startsWith("/v1/");
    const call = isManagement ? service.manage.bind(service) : service.call.bind(service);
    const answer = await call(method, path, { ...options, key: isManagement ? management_key : key });
    if (answer.status >= 300) throw new Error(`${name}: ${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { user_id } = await ask("POST", "/v2/user", { client_user_id: `of ${name}` });
  const { order } = await ask("POST", "/v3/order", orderRequest(user_id));
  const webhook = { url: "http://127.0.0.1:9/", disabled: true };
  const { id: webhook_id } = await ask("POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, webhook);
  const labKey = { label: "reports", team_id, lab: "quest" };
  const { value: lab } = await ask("POST", `/v1/org/${org_id}/team_api_keys/sandbox/us`, labKey);
  const { body: job } = await submitReport(service, {
    user_id,
    files: [await reportPdf(knownRows)],
    needs_human_review: true,
    key,
  });
  await service.settle();
  const credentials: Record<Auth, () => Promise<Record<string, string>>> = {
    none: async () => ({}),
    team: isInConsole ? () => openConsole(service, { key }) : async () => ({ "x-service-api-key": key }),
    console: () => openConsole(service, { key }),
    management: async () => ({ "x-management-key": management_key }),
    lab: async () => ({ "x-lab-key": lab }),
    link: async () => (await createLinkToken(service, user_id, {}, key)).headers,
    portal: async () => ({ "x-portal-session": hashOf(await ask("GET", "/v2/team/svix/url")) }),
    review: async () => ({
      "x-review-link": hashOf(await ask("POST", `/lab_report/v1/parser/job/${job.id}/review_link`)),
    }),
    session: async () => {
      const signIn = await ask("POST", `/v2/user/${user_id}/sign_in_token`);
      const { body } = await service.call("POST", "/v2/sdk/session", {
        key: null,
        body: { sign_in_token: signIn.sign_in_token },
      });
      return { authorization: `Bearer ${body.access_token}` };
    },
  };
  const own = { org_id, team_id, user_id, order_id: order.id, webhook_id, job_id: job.id };
  return { name, own, credential: (auth) => credentials[auth]() };
}

const hashOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);
