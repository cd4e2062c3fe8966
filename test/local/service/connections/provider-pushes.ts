import { expect } from "vitest";
import { derivePushKey } from "../../../../lib/connectors/push-key.ts";
import { APP_KEYS } from "../../../../lib/simulators/providers/base/application.ts";
import type { TestService } from "../../../support/service.ts";

/** The one application that the simulators know. */
export const simulatorApplication = { clientId: "tributary-local", clientSecret: "tributary-local-secret" };
const { clientId: client_id, clientSecret: client_secret } = simulatorApplication;

/** Returns the callback URL for pushes about users of the deployment's application, or of the team's own. */
export function pushUrl(service: TestService, slug: string, isTeams = false): string {
  const team = isTeams ? `team_id=${service.identity.team_id}&` : "";
  return `${service.baseUrl}/v2/link/push/${slug}?${team}key=${derivePushKey(simulatorApplication, slug)}`;
}

/** Gives the team its own application at a provider. @param push_secret verifies its pushes. */
export async function setTeamApplication(
  service: TestService,
  provider: string,
  push_secret?: string,
  keys?: Readonly<Record<string, string>>,
): Promise<void> {
  const details = push_secret === undefined ? {} : { details: { push_secret, ...(keys ? { keys } : {}) } };
  await setApplication(service, provider, { client_id, client_secret, ...details });
}

/** Gives the team an application that none of its connections uses. */
export const setOtherApplication = (service: TestService, provider: string): Promise<void> =>
  setApplication(service, provider, { client_id: "another", client_secret: "of another" });

/** Removes the team's own application at a provider. */
export const removeTeamApplication = (service: TestService, provider: string): Promise<void> =>
  setApplication(service, provider, {});

async function setApplication(service: TestService, provider: string, application: object): Promise<void> {
  const { org_id, team_id } = service.identity;
  const path = `/v1/org/${org_id}/team_custom_credentials/sandbox/us`;
  expect((await service.manage("POST", path, { body: { team_id, provider, ...application } })).status).toBe(200);
}

/**
 * Makes functions read the deployment's applications again.
 * @param forget advances their clock by more than a minute.
 */
export async function expireApplicationCache(forget: () => Promise<unknown>): Promise<void> {
  for (let minute = 0; minute < 5; minute += 1) await forget();
}

/** Subscribes to pushes as an operator does, for providers whose connections do not subscribe by themselves. */
export const subscribeToPushes: Readonly<Record<string, (service: TestService) => Promise<void>>> = {
  oura: async (service) => {
    const callback_url = pushUrl(service, "oura");
    const verification_token = derivePushKey(simulatorApplication, "oura");
    const body = { callback_url, verification_token, event_type: "create", data_type: "sleep" };
    const headers = { "x-client-id": client_id, "x-client-secret": client_secret };
    await ask(service, "api.ouraring.com/v2/webhook/subscription", body, headers);
  },
  whoop_v2: async (service) => setWebhookUrl(service, "whoop_v2"),
  strava: async (service) => {
    const callback_url = pushUrl(service, "strava");
    const verify_token = derivePushKey(simulatorApplication, "strava");
    const form = new URLSearchParams({ client_id, client_secret, callback_url, verify_token });
    const url = `${service.started.service.providers.origin}/www.strava.com/api/v3/push_subscriptions`;
    expect((await fetch(url, { method: "POST", body: form })).status).toBe(201);
  },
  polar: async (service) => {
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const body = { url: pushUrl(service, "polar", true), events: ["SLEEP"] };
    const made = await ask(service, "www.polaraccesslink.com/v3/webhooks", body, { authorization });
    await setTeamApplication(service, "polar", made.data.signature_secret_key);
  },
  google_health: async (service) => {
    const secret = "what the subscriber was made with";
    await setTeamApplication(service, "google_health", secret);
    const endpointUri = pushUrl(service, "google_health", true);
    const subscriberConfigs = [{ dataTypes: ["sleep"], subscriptionCreatePolicy: "AUTOMATIC" }];
    const body = { endpointUri, subscriberConfigs, endpointAuthorization: { secret } };
    const authorization = `Bearer ${client_secret}`;
    await ask(service, "health.googleapis.com/v4/projects/p/subscribers", body, { authorization });
  },
  garmin: async (service) => setWebhookUrl(service, "garmin"),
  wahoo: async (service) => {
    await setTeamApplication(service, "wahoo", "tributary-local-webhook-token");
    setWebhookUrl(service, "wahoo", true);
  },
  fitbit: async (service) => setWebhookUrl(service, "fitbit"),
  ride_with_gps: async (service) => setWebhookUrl(service, "ride_with_gps"),
  intervals_icu: async (service) => {
    await setTeamApplication(service, "intervals_icu", "tributary-local-webhook-secret");
    setWebhookUrl(service, "intervals_icu", true);
  },
  omron: async (service) => setWebhookUrl(service, "omron"),
  concept2: async (service) => setWebhookUrl(service, "concept2"),
  suunto: async (service) => {
    await setTeamApplication(service, "suunto", "tributary-local-notification-secret", APP_KEYS);
    setWebhookUrl(service, "suunto", true);
  },
};

function setWebhookUrl(service: TestService, slug: string, isTeams = false): void {
  service.started.service.providers.provider(slug).setWebhook({ url: pushUrl(service, slug, isTeams) });
}

async function ask(service: TestService, path: string, body: object, headers: Readonly<Record<string, string>>) {
  const { origin } = service.started.service.providers;
  const all = { "content-type": "application/json", ...headers };
  const answer = await fetch(`${origin}/${path}`, { method: "POST", headers: all, body: JSON.stringify(body) });
  expect([path, answer.ok]).toEqual([path, true]);
  return answer.json();
}
