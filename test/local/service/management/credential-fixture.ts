import type { Answer, TestService } from "../../../support/service.ts";
import { grantConsent, openAuthorizationUrl, openCallback, setPullDays } from "../connections/link-helpers.ts";
import { openConsole } from "../console/console-helpers.ts";
import { createTeamWithFeatures, knownRows, reportPdf, submitReport } from "../lab-reports/report-helpers.ts";
import { exampleUserInfo } from "../story/insurance-routes.ts";

/**
 * A credential and a probe of its validity. A one-time credential is created twice, because each probe consumes one.
 */
export interface TestedCredential {
  readonly kind: string;
  opens(): Promise<boolean>;
}

/** A team with a user, and a function that creates its credentials. */
export interface CredentialFixture {
  readonly teamId: string;
  readonly key: string;
  readonly keyId: string;
  readonly userId: string;
  /** Creates one credential of each kind with an API key or an access token. */
  createCredentials(by: Readonly<Record<string, string>>): Promise<TestedCredential[]>;
}

/** The header of the fixture's API key. */
export const byKey = ({ key }: CredentialFixture) => ({ "x-service-api-key": key });

type Headers = Readonly<Record<string, string>>;
const isGood = ({ status }: Answer) => status < 300;
const hashOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);

export async function createCredentialFixture(service: TestService, name: string): Promise<CredentialFixture> {
  const features = ["lab_report_parsing", "lab_report_human_review"];
  const { teamId, key: first } = await createTeamWithFeatures(service, name, features);
  await setPullDays(service, 1, "oura", teamId);
  const userId = await service.createUser(name, first);
  await service.call("PATCH", `/v2/user/${userId}/info`, { key: first, body: exampleUserInfo });
  const report = { user_id: userId, files: [await reportPdf(knownRows)], needs_human_review: true, key: first };
  const { body: job } = await submitReport(service, report);
  await service.settle();
  const body = { label: "to be ended", team_id: teamId };
  const keys = `/v1/org/${service.identity.org_id}/team_api_keys/sandbox/us`;
  const { id: keyId, value: key } = (await service.manage("POST", keys, { body })).body;
  const credentials = (by: Headers) => createEachKind(service, { userId, jobId: job.id }, by);
  return { teamId, key, keyId, userId, createCredentials: credentials };
}

async function createEachKind(
  service: TestService,
  of: { userId: string; jobId: string },
  by: Headers,
): Promise<TestedCredential[]> {
  const call = (method: string, path: string, headers: Headers = {}, body?: object) =>
    service.call(method, path, { key: null, headers, ...(body && { body }) });
  const made = async (method: string, path: string, body?: object): Promise<Answer["body"]> => {
    const answer = await call(method, path, by, body);
    if (!isGood(answer)) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const link = () => made("POST", "/v2/link/token", { user_id: of.userId });
  const linkHeader = ({ link_token }: Answer["body"]) => ({ "x-service-link-token": link_token });
  const signIn = (sign_in_token: string) => call("POST", "/v2/sdk/session", {}, { sign_in_token });
  const twice = async (kind: string, make: () => Promise<string>): Promise<TestedCredential> => {
    const waiting = [await make(), await make()];
    return { kind, opens: async () => isGood(await signIn(waiting.pop() ?? "")) };
  };
  const token = async () => (await made("POST", `/v2/user/${of.userId}/sign_in_token`)).sign_in_token;
  const session = (await signIn(await token())).body;
  const states = [await createOAuthCallback(service, await link()), await createOAuthCallback(service, await link())];
  const [shown, page, review] = [await link(), await link(), `/lab_report/v1/parser/job/${of.jobId}/review_link`];
  const headers = { "x-review-link": hashOf(await made("POST", review)) };
  const portal = { "x-portal-session": hashOf(await made("GET", "/v2/team/svix/url")) };
  const user = new URL((await made("POST", `/v2/user/${of.userId}/create_portal_url`, { context: "launch" })).url);
  const phone = linkHeader(await link());
  const browser = await openConsole(service, { key: by["x-service-api-key"] ?? by.authorization?.slice(7) });
  let refresh_token = session.refresh_token;
  return [
    { kind: "link token", opens: async () => isGood(await call("GET", "/v2/link/token", linkHeader(shown))) },
    { kind: "link page", opens: async () => isGood(await call("GET", `/v2/link/web?token=${page.link_token}`)) },
    { kind: "OAuth state", opens: async () => (await openCallback(states.pop() as URL)).outcome.state === "success" },
    await twice("sign-in token", token),
    await twice("link code", async () => (await made("POST", `/v2/link/code/create?user_id=${of.userId}`)).code),
    await twice(
      "phone code",
      async () => (await call("POST", "/v2/link/provider/sdk/apple_health_kit", phone)).body.code,
    ),
    { kind: "session access", opens: async () => isGood(await syncPhoneData(call, session.access_token)) },
    {
      kind: "session refresh",
      opens: async () => {
        const answer = await call("POST", "/v2/sdk/session/refresh", {}, { refresh_token });
        refresh_token = answer.body.refresh_token ?? refresh_token;
        // A refresh also returns a new access token, which is equally valid.
        session.access_token = answer.body.access_token ?? session.access_token;
        return isGood(answer);
      },
    },
    { kind: "review link", opens: async () => isGood(await call("GET", "/lab_report/v1/review/report", headers)) },
    { kind: "webhook portal link", opens: async () => isGood(await call("GET", "/v2/portal/webhook", portal)) },
    { kind: "console session", opens: async () => isGood(await call("GET", "/v2/providers", browser)) },
    { kind: "user portal link", opens: async () => isGood(await call("GET", `${user.pathname}${user.search}`)) },
  ];
}

function syncPhoneData(
  call: (method: string, path: string, headers: Headers, body: object) => Promise<Answer>,
  token: string,
) {
  const part = { provider: "apple_health_kit", source_type: "phone", stage: "daily", sync_id: "lives", part: 0 };
  const resources = { steps: [{ timestamp: "2026-05-01T08:00:00Z", value: 1, unit: "count" }] };
  return call("POST", "/v2/sdk/sync", { authorization: `Bearer ${token}` }, { ...part, resources });
}

/** Returns the callback URL to which a provider redirects the user of a link token. */
async function createOAuthCallback(service: TestService, { link_token }: { link_token: string }): Promise<URL> {
  return grantConsent(await openAuthorizationUrl(service, link_token), {
    account: `a${crypto.randomUUID().slice(0, 8)}`,
  });
}
