import {
  type DeploymentApp,
  type DeploymentApps,
  parseDeploymentApps,
} from "../domain/connections/providers/provider-apps.ts";
import { Misconfigured } from "./errors.ts";
import { ports } from "./ports.ts";

/** Lifetime of the cached applications. */
const TRUSTED_MS = 5 * 60_000;

/** The deployment's OAuth applications at providers, cached for five minutes. */
export class ProviderApps {
  readonly #text: () => Promise<string | undefined>;
  #known: { readonly apps: DeploymentApps; readonly untilMs: number } | undefined;

  /** @param text reads the current configuration; undefined if none is set. */
  constructor(text: () => Promise<string | undefined>) {
    this.#text = text;
  }

  /** @throws Misconfigured for an invalid configuration; the errors of reading it. */
  async all(): Promise<DeploymentApps> {
    const known = this.#known;
    return known && ports().clock.now() < known.untilMs ? known.apps : this.#readAnew();
  }

  async get(provider: string): Promise<DeploymentApp | undefined> {
    return (await this.all()).get(provider);
  }

  /** Bypasses the cache, for a refused application whose secret may have changed. */
  async reload(provider: string): Promise<DeploymentApp | undefined> {
    return (await this.#readAnew()).get(provider);
  }

  async #readAnew(): Promise<DeploymentApps> {
    const text = await this.#text();
    const apps = text === undefined ? new Map<string, DeploymentApp>() : parseDeploymentApps(text);
    if (typeof apps === "string") throw new Misconfigured(apps);
    this.#known = { apps, untilMs: ports().clock.now() + TRUSTED_MS };
    return apps;
  }
}
