import { equal, ok } from "node:assert/strict";
import type { Deployment } from "./deployment.ts";
import { type Steps, until } from "./steps.ts";

/** A user connects a provider by a link, and a phone sends data with a session. */
export async function runAccessStory(steps: Steps, deployment: Deployment, userId: string): Promise<void> {
  await steps.run("a link token opens the link page and its routes", async () => {
    const wish = { user_id: userId, redirect_url: "https://app.example.com/linked" };
    const { link_token, link_web_url } = await deployment.call("POST", "/v2/link/token", wish);
    const page = await fetch(link_web_url);
    ok(page.ok && (await page.text()).includes("<html"), `the page answered ${page.status}`);
    const { status } = await deployment.request("GET", "/v2/link/providers", undefined, {
      "x-service-link-token": link_token,
    });
    equal(status, 200);
    const { status: without } = await deployment.request("GET", "/v2/link/providers", undefined, {});
    equal(without, 401);
  });
  await steps.run("a demo connection pulls its history", async () => {
    await deployment.call("POST", "/v2/link/connect/demo", { user_id: userId, provider: "oura" });
    await until("sleep of the history", async () => {
      const start = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
      const { sleep } = await deployment.call("GET", `/v2/summary/sleep/${userId}?start_date=${start}`);
      return sleep.length > 0 ? sleep : undefined;
    });
  });
  await steps.run("a phone signs in and sends data", async () => {
    const { sign_in_token } = await deployment.call("POST", `/v2/user/${userId}/sign_in_token`);
    const session = await deployment.call("POST", "/v2/sdk/session", { sign_in_token }, {});
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    const about = { provider: "apple_health_kit", source_type: "phone", stage: "daily", sync_id: "one" };
    const body = { ...about, part: 1, done: true, resources: { body_weight: [{ timestamp, value: 71.5 }] } };
    await deployment.call("POST", "/v2/sdk/sync", body, { authorization: `Bearer ${session.access_token}` });
    await until("the weight of the phone", async () => {
      const day = timestamp.slice(0, 10);
      const { groups } = await deployment.call("GET", `/v2/timeseries/${userId}/body_weight/grouped?start_date=${day}`);
      return JSON.stringify(groups).includes("71.5") ? true : undefined;
    });
  });
}
