import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import type { TestService } from "../support/service.ts";

/** The team's page, the target of redirects. */
export const REDIRECT_URL = "https://app.example.com/linked?from=test";
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const screenshot = (name: string) => `${import.meta.dirname}/screenshots/link-${name}.png`;

/** No width may require horizontal scrolling. The narrowest equals a desktop at 400 % zoom (WCAG 1.4.10). */
const widths = [
  ["desktop", 1100],
  ["narrow", 320],
  ["phone", 375],
] as const;

/** An open link page, with the errors that a correct page never has. */
export class LinkVisit {
  readonly page: Page;
  /** Script errors, policy violations, missing files, requests to other hosts, and the sending pages. */
  readonly pageErrors: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  /** @param hosts allowed redirect targets besides the simulators and the team's page. */
  static async open(service: TestService, browser: Browser): Promise<LinkVisit> {
    const visit = new LinkVisit(await browser.newPage());
    const { page, pageErrors } = visit;
    const allowed = [service.baseUrl, process.env.PROVIDER_BASE_URL, new URL(REDIRECT_URL).origin];
    page.on("pageerror", (error) => pageErrors.push(error.message));
    const isOurs = (address: string | undefined) => address?.startsWith(service.baseUrl) === true;
    page.on("console", (message) => {
      const isAnswer = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isAnswer && isOurs(message.location().url)) pageErrors.push(message.text());
    });
    page.on("request", (request) => {
      if (isOurs(request.headers().referer)) pageErrors.push(`referrer ${request.headers().referer}`);
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && !allowed.includes(origin)) pageErrors.push(`request to ${request.url()}`);
    });
    page.on("response", (response) => {
      const isFile = ["script", "stylesheet", "image"].includes(response.request().resourceType());
      if (isFile && response.status() >= 400) pageErrors.push(`${response.status()} ${response.url()}`);
    });
    await page.route(`${new URL(REDIRECT_URL).origin}/**`, (route) =>
      route.fulfill({ body: "<title>A page</title>", contentType: "text/html" }),
    );
    return visit;
  }

  /** Waits for the heading of a step. The heading has the focus, for users of screen readers. */
  async waitForHeading(heading: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    expect(await this.page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  }

  /** Holds requests for a path until `release`, and counts them. */
  async holdRequests(path: string): Promise<{ release: () => void; count: () => number }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    await this.page.route(`**${path}`, async (route) => {
      count += 1;
      await promise;
      await route.continue();
    });
    return { release: resolve, count: () => count };
  }

  /** Query parameters that the team's page receives. */
  async redirectParameters(): Promise<Record<string, string>> {
    await this.page.waitForURL("https://app.example.com/**");
    return Object.fromEntries(new URL(this.page.url()).searchParams);
  }

  press(name: string | RegExp): Promise<void> {
    return this.page.getByRole("button", { name }).click();
  }

  fill(label: string, text: string): Promise<void> {
    return this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /**
   * Checks the step in both themes, on a phone and a desktop: no violation, no horizontal scrolling, one screenshot
   * each.
   */
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
