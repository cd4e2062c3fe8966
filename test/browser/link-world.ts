import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { TestService } from "../support/service.ts";

/** A page of a team, where users are sent afterwards. */
export const AFTERWARDS = "https://app.example.com/linked?from=test";
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const screenshot = (name: string) => `${import.meta.dirname}/screenshots/link-${name}.png`;

/** Nothing may have to be scrolled sideways on the narrowest, which is a desktop at 400 % zoom, too (WCAG 1.4.10). */
const widths = [
  ["desktop", 1100],
  ["narrow", 320],
  ["phone", 375],
] as const;

/** The link page as a user has it open, with what a page that behaves never does. */
export class LinkVisit {
  readonly page: Page;
  /** Errors of its script, breaches of its policy, files that are missing, requests to other hosts, and who sent there. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  /** @param hosts where the user may be sent: the simulators and the team's page are always among them. */
  static async begin(service: TestService, browser: Browser): Promise<LinkVisit> {
    const visit = new LinkVisit(await browser.newPage());
    const { page, complaints } = visit;
    const allowed = [service.baseUrl, process.env.PROVIDER_BASE_URL, new URL(AFTERWARDS).origin];
    page.on("pageerror", (error) => complaints.push(error.message));
    const isOurs = (address: string | undefined) => address?.startsWith(service.baseUrl) === true;
    page.on("console", (message) => {
      const isAnswer = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isAnswer && isOurs(message.location().url)) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (isOurs(request.headers().referer)) complaints.push(`referrer ${request.headers().referer}`);
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && !allowed.includes(origin)) complaints.push(`request to ${request.url()}`);
    });
    page.on("response", (response) => {
      const isFile = ["script", "stylesheet", "image"].includes(response.request().resourceType());
      if (isFile && response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.route(`${new URL(AFTERWARDS).origin}/**`, (route) =>
      route.fulfill({ body: "<title>A page</title>", contentType: "text/html" }),
    );
    return visit;
  }

  /** Waits for the heading of a step, which has the focus for those who can not see it. */
  async reads(heading: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    expect(await this.page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  }

  /** Has requests for a path wait until they are released, and counts them. */
  async holds(path: string): Promise<{ release: () => void; count: () => number }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    await this.page.route(`**${path}`, async (route) => {
      count += 1;
      await promise;
      await route.continue();
    });
    return { release: resolve, count: () => count };
  }

  /** What the team's page is told. */
  async outcome(): Promise<Record<string, string>> {
    await this.page.waitForURL("https://app.example.com/**");
    return Object.fromEntries(new URL(this.page.url()).searchParams);
  }

  press(name: string | RegExp): Promise<void> {
    return this.page.getByRole("button", { name }).click();
  }

  fill(label: string, text: string): Promise<void> {
    return this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** Looks at the step in both schemes, on a phone and at a desk: no violation, no sideways scrolling, a picture each. */
  async inspect(name: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme });
      for (const [kind, width] of widths) {
        await this.page.setViewportSize({ width, height: 760 });
        const isWithin = await this.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
        expect([name, kind, isWithin]).toEqual([name, kind, true]);
        if (kind === "narrow") continue;
        await this.page.screenshot({ path: screenshot(`${name}-${kind}-${colorScheme}`), fullPage: true });
      }
      expect([name, colorScheme, await this.#violations()]).toEqual([name, colorScheme, []]);
    }
    await this.page.emulateMedia({ colorScheme: null });
  }

  async #violations(): Promise<string[]> {
    await this.page.evaluate(axe);
    return this.page.evaluate<string[]>(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join()))",
    );
  }
}
