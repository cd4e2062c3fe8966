import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Receiver } from "../../local/service/webhooks/webhook-receiver.ts";
import { ConsoleWorld, findings, fitsItsWidth, looks, screenshot } from "./console-world.ts";

let world: ConsoleWorld;
let receiver: Receiver;
/** What the receiver answers. */
let status = 204;

beforeAll(async () => {
  world = await ConsoleWorld.start("webhooks-user");
  receiver = await Receiver.start(world.service, () => status);
}, 300_000);
afterAll(async () => {
  await receiver?.stop();
  await world?.stop();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Creates an endpoint in the view, and closes the dialog with its secret. @returns the secret. */
async function createEndpoint(page: Page, description: string, types = ""): Promise<string> {
  await button(page, "Create an endpoint").click();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByLabel("Description").fill(description);
  await page.getByLabel(/^Event types/).fill(types);
  await button(page, "Create").click();
  const secret = await page.getByText(/^whsec_/).innerText();
  await button(page, "I have copied it").click();
  await page.getByText(/^whsec_/).waitFor({ state: "detached" });
  return secret;
}

const connect = async (name: string) => {
  const user_id = await world.service.createUser(name);
  await world.service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "fitbit" } });
  await world.service.settle();
};

describe("an admin", () => {
  test("creates an endpoint, sees its secret once, tests it, rotates the secret and deletes the endpoint", async () => {
    const { page, complaints } = await world.open("/webhooks");
    const secret = await createEndpoint(page, "Receiver of tests");
    await page.getByRole("link", { name: "Receiver of tests" }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const before = receiver.received.length;
    await button(page, "Send a test event").click();
    await page.getByText("Test event sent.").waitFor();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    await button(page, "Rotate the secret").click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate the secret" }).click();
    const next = await page.getByText(/^whsec_/).innerText();
    expect(next).not.toBe(secret);
    await button(page, "I have copied it").click();
    await button(page, "Delete the endpoint").click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Receiver of tests" }).waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("changes settings and headers, and disables and enables an endpoint", async () => {
    const { page } = await world.open("/webhooks");
    await createEndpoint(page, "Changed", "provider.connection.created");
    await button(page, "Change").click();
    await page.getByLabel(/^Most attempts a second/).fill("25");
    await button(page, "Save").click();
    await page.getByText("25 a second").waitFor();
    await button(page, "Headers").click();
    await page.getByRole("textbox", { name: /^Headers/ }).fill("no colon");
    await button(page, "Save").click();
    await page.getByText('Write "Name: value" on each line').waitFor();
    await page.getByRole("textbox", { name: /^Headers/ }).fill("x-desk: 7\nx-api-token: hidden-value");
    await button(page, "Save").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await button(page, "Headers").click();
    const shown = await page.getByRole("textbox", { name: /^Headers/ }).inputValue();
    expect(shown).toContain("x-desk: 7");
    expect(shown).toContain("x-api-token: ********");
    await page.keyboard.press("Escape");
    await button(page, "Disable").click();
    await page.getByText("disabled: manual").waitFor();
    await button(page, "Enable").click();
    await page.getByText("enabled", { exact: true }).waitFor();
    await connect("with headers");
    await expect.poll(() => receiver.received.at(-1)?.headers["x-desk"]).toBe("7");
  });

  test("reads in words why the service refuses an address", async () => {
    const { page } = await world.open("/webhooks");
    await button(page, "Create an endpoint").click();
    await page.getByLabel("URL").fill("https://10.0.0.1/hook");
    await button(page, "Create").click();
    await page.getByRole("dialog").getByRole("status").getByText(/\w{4}/).waitFor();
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
  });
});

describe("support", () => {
  test("replays failed messages of a range and events that an endpoint never received, and changes nothing", async () => {
    const { page: admin } = await world.open("/webhooks");
    await connect("before the endpoint");
    await createEndpoint(admin, "Replayed");
    const { page, complaints } = await world.open("/webhooks", undefined, "support");
    await page.getByRole("link", { name: "Replayed" }).click();
    await button(page, "Compare").click();
    await page.getByText(/events have no message/).waitFor();
    expect(await button(page, "Create an endpoint").count()).toBe(0);
    expect(await button(page, "Delete the endpoint").count()).toBe(0);
    const since = new Date(world.service.cloud.clock.now() - 3_600_000).toISOString().slice(0, 16);
    await page.getByLabel("Times").selectOption("utc");
    await page.getByLabel("What").selectOption("missing");
    await page.getByLabel("Since").fill(since);
    await button(page, "Replay").click();
    await page.getByText(/^(Running|Done)/).waitFor();
    await world.service.settle();
    await page.getByText(/^Done: [1-9]/).waitFor();
    // The task is done when its messages wait. The next comparison needs their attempts.
    await world.service.settle();
    await button(page, "Compare").click();
    await page.reload();
    await page.getByRole("link", { name: "Replayed" }).click();
    await button(page, "Compare").click();
    await page.getByText("Nothing is missing").waitFor();
    expect(complaints).toEqual([]);
  });

  test("in the session of an API key sees endpoints and sends tests, but has no form to change them", async () => {
    const context = await world.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${world.service.baseUrl}/console/webhooks`);
    await page.getByLabel("Key or token").fill(world.service.identity.api_key);
    await button(page, "Sign in").click();
    await page.getByText("Send a test event").waitFor();
    expect(await button(page, "Create an endpoint").count()).toBe(0);
    expect(await button(page, "Replay").count()).toBe(0);
  });
});

describe.each(looks)("in the look %s", (...look) => {
  test("the view and its dialogs have no finding and fit their width", async () => {
    status = 503;
    await connect(`failing ${look[0]}`);
    status = 204;
    const { page } = await world.open("/webhooks", look);
    await button(page, "Replay").waitFor();
    await page.getByText(/attempts, .* failed/).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.screenshot({ path: screenshot(`webhooks-admin-${look[0]}`), fullPage: true });
    await button(page, "Create an endpoint").click();
    expect(await findings(page)).toEqual([]);
    await page.screenshot({ path: screenshot(`webhooks-create-${look[0]}`) });
  });
});
