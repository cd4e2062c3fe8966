import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { sendDemoData } from "../../../lib/start/seed-data.ts";
import { createTicket } from "../../local/service/console/console-helpers.ts";
import { TestService } from "../../support/service.ts";
import { launchChromium } from "../chromium.ts";
import { watchPage } from "../watch-page.ts";

const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** A name that runs a script wherever a page takes it for markup. */
export const HOSTILE = `<img src=x onerror="window.canary=1"><script>window.canary=1</script>"'><svg onload=window.canary=1>`;

/** Colours and widths in which people see the console. */
type Look = readonly [name: string, colours: "light" | "dark", width: number];
export const looks: readonly [Look, ...Look[]] = [
  ["light", "light", 1280],
  ["dark", "dark", 1280],
  // The narrowest width of WCAG 2.2, 1.4.10.
  ["phone", "dark", 320],
];

/** A service with the demo data of `npm start`, and a browser. */
export class ConsoleWorld {
  readonly service: TestService;
  readonly browser: Browser;
  readonly userId: string;

  private constructor(service: TestService, browser: Browser, userId: string) {
    this.service = service;
    this.browser = browser;
    this.userId = userId;
  }

  static async start(clientUserId: string): Promise<ConsoleWorld> {
    const [service, browser] = await Promise.all([TestService.start(), launchChromium()]);
    return new ConsoleWorld(service, browser, await service.createUser(clientUserId));
  }

  /** Stores the demo data, as the first start does. */
  async seed(): Promise<void> {
    const { baseUrl, managementUrl } = this.service.started.service;
    const client = { baseUrl, managementUrl, identity: this.service.identity };
    await sendDemoData(client, this.userId, this.service.cloud.clock.now(), () => undefined);
    await this.service.settle();
  }

  /**
   * Opens the console in a fresh profile through a ticket, as the link of `npm start` does.
   * @returns the page, and what it must not do.
   */
  async open(place: string, look: Look = looks[0], role = "admin", name = "Support desk") {
    const [, colorScheme, width] = look;
    const context = await this.browser.newContext({
      colorScheme,
      viewport: { width, height: 860 },
      timezoneId: "Europe/Madrid",
    });
    const page = await context.newPage();
    // The browser's document viewer is a page too, with addresses of its own.
    const complaints = watchPage(page, this.service.baseUrl, ({ protocol }) => !protocol.startsWith("http"));
    const { ticket } = await createTicket(this.service, { role, name });
    const separator = place.includes("?") ? "&" : "?";
    await page.goto(`${this.service.baseUrl}/console${place}${separator}ticket=${ticket}`);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    return { page, complaints };
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.service?.stop();
  }
}

/** All findings of axe on the page. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join()))`,
  );
}

/** Whether nothing makes the page scroll sideways. */
export const fitsItsWidth = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

/** Where a screenshot of the console goes. */
export const screenshot = (name: string) => `${import.meta.dirname}/../screenshots/console-${name}.png`;
