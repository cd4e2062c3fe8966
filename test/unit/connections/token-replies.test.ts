import { describe, expect, test } from "vitest";
import type { Connector } from "../../../lib/connectors/connector.ts";
import { connectorSlugs, findConnector } from "../../../lib/connectors/connectors.ts";
import { refreshTokens } from "../../../lib/connectors/oauth.ts";
import { AccessEnded, ApplicationRefused, ProviderUnavailable } from "../../../lib/connectors/provider-error.ts";

/** Refreshes tokens at a token endpoint with this response. */
async function refresh(slug: string, response: Response) {
  const { oauth } = (await findConnector(slug)) as Connector;
  const app = { clientId: "client", clientSecret: "secret" };
  const request = { app, redirectUri: "https://app.example/callback", fetch: async () => response };
  return refreshTokens(oauth, request, "refresh-token");
}

/** An error response with the challenge that authorization servers such as Doorkeeper add. */
const refusal = (error: string, status = 400) =>
  Response.json({ error }, { status, headers: { "www-authenticate": `Bearer realm="Doorkeeper", error="${error}"` } });

const ownForms = ["strava", "withings", "fitbit", "ihealth", "intervals_icu"];
const standardForms = connectorSlugs.filter((slug) => !ownForms.includes(slug));

test.each(standardForms)(
  "%s: an invalid refresh token ends access, also with a challenge in a header",
  async (slug) => {
    await expect(refresh(slug, Response.json({ error: "invalid_grant" }, { status: 400 }))).rejects.toThrow(
      AccessEnded,
    );
    await expect(refresh(slug, refusal("invalid_grant"))).rejects.toThrow(AccessEnded);
    await expect(refresh(slug, refusal("invalid_client", 401))).rejects.toThrow(ApplicationRefused);
  },
);

describe("errors of a token endpoint", () => {
  const headers = { "www-authenticate": 'Bearer error="invalid_grant"' };
  test.each([
    ["a challenge without a body", new Response(null, { status: 401, headers }), "AccessEnded"],
    [
      "a challenge without an error",
      new Response(null, { status: 401, headers: { "www-authenticate": "Basic" } }),
      "ApplicationRefused",
    ],
    ["an error with status 200", Response.json({ error: "invalid_grant" }), "AccessEnded"],
    [
      "an error that is not declared as JSON",
      new Response('{"error":"invalid_grant"}', { status: 400 }),
      "AccessEnded",
    ],
    ["an overload", refusal("temporarily_unavailable"), "ProviderUnavailable"],
    ["a failure", refusal("server_error"), "ProviderUnavailable"],
    ["a failed gateway that asks for credentials", new Response("", { status: 502, headers }), "ProviderUnavailable"],
    ["a limit", Response.json({ message: "slow down" }, { status: 429 }), "ProviderUnavailable"],
  ])("%s", async (_, response, name) => {
    await expect(refresh("wahoo", response)).rejects.toMatchObject({ name });
  });

  test.each([601, 2555, 522])("Withings' status %s does not blame the credentials", async (status) => {
    const error = await refresh("withings", Response.json({ status, body: {}, error: "no" })).catch((one) => one);
    expect(error).toBeInstanceOf(ProviderUnavailable);
    expect(error).not.toBeInstanceOf(ApplicationRefused);
  });
});

test.each([
  { token_type: "Bearer", refresh_token: null },
  { token_type: "Bearer", scope: null, refresh_token: "" },
  { token_type: "Bearer", expires_in: null },
  {},
])("tokens with the members %j are read", async (members) => {
  const tokens = await refresh("ride_with_gps", Response.json({ access_token: "token", ...members }));
  expect(tokens).toEqual({ access_token: "token", token_type: "bearer" });
});
