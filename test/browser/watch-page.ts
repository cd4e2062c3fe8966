import type { Page } from "playwright-core";

/**
 * Records what a page must not do: script errors, policy violations, missing files, and requests to other origins.
 * @param ignores whether requests to this other origin are allowed, such as those of a data URL.
 * @returns the list, which grows while the page runs.
 */
export function watchPage(page: Page, own: string, ignores: (address: URL) => boolean = () => false): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("request", (request) => {
    const address = new URL(request.url());
    if (address.origin !== own && !ignores(address)) complaints.push(`request to ${request.url()}`);
  });
  return complaints;
}
