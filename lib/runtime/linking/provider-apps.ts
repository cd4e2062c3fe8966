import { type DeploymentApp, type DeploymentApps, readDeploymentApps } from "../../domain/linking/provider-apps.ts";
import { Misconfigured } from "../errors.ts";
import { ports } from "../ports.ts";

/** For so long it is not looked whether they were changed. */
const TRUSTED_MS = 5 * 60_000;

/** The deployment's applications at providers, read when one is asked for and known for five minutes. */
export class ProviderApps {
  readonly #text: () => Promise<string | undefined>;
  #known: { readonly apps: DeploymentApps; readonly untilMs: number } | undefined;

  /** @param text reads them as they are set now; undefined where none are. */
  constructor(text: () => Promise<string | undefined>) {
    this.#text = text;
  }

  /** @throws Misconfigured where they are set and can not be understood; what reading them throws. */
  async all(): Promise<DeploymentApps> {
    const known = this.#known;
    return known && ports().clock.now() < known.untilMs ? known.apps : this.#readAnew();
  }

  async of(provider: string): Promise<DeploymentApp | undefined> {
    return (await this.all()).get(provider);
  }

  /** As they are now, for whom a provider has refused: the secret there may have been changed meanwhile. */
  async anew(provider: string): Promise<DeploymentApp | undefined> {
    return (await this.#readAnew()).get(provider);
  }

  async #readAnew(): Promise<DeploymentApps> {
    const text = await this.#text();
    const apps = text === undefined ? new Map<string, DeploymentApp>() : readDeploymentApps(text);
    if (typeof apps === "string") throw new Misconfigured(apps);
    this.#known = { apps, untilMs: ports().clock.now() + TRUSTED_MS };
    return apps;
  }
}
