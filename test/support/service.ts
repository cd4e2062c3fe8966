import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildLocally, type LocalBuild } from "../../lib/build/local-build.ts";
import { DataDirectory } from "../../lib/local/data-directory.ts";
import { findFreePort } from "../../lib/local/free-port.ts";
import { settle } from "../../lib/local/settle.ts";
import { type StartedService, startService } from "../../lib/start/start-service.ts";

/** A response with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The team API key; the first team's by default, null for none. */
  readonly key?: string | null;
}

const builds = new Map<string, Promise<LocalBuild>>();

/** The build for a context, looked up once for all files of a test process: that reads and digests every source. */
function findBuild(settings: Readonly<Record<string, unknown>>): Promise<LocalBuild> {
  const context = JSON.stringify(settings);
  const build = builds.get(context) ?? buildLocally(settings);
  builds.set(context, build);
  return build;
}

/** The whole service in the process of a test: real engines, synthesized templates and policies, virtual clock. */
export class TestService {
  readonly started: StartedService;
  readonly data: DataDirectory;
  /** Every `function action resource` that was allowed so far. */
  readonly observed: Set<string>;

  private constructor(started: StartedService, data: DataDirectory, observed: Set<string>) {
    this.started = started;
    this.data = data;
    this.observed = observed;
  }

  /**
   * @param directory data of an earlier test service, for restarts; a new directory by default.
   * @param settings context that a deployment has in cdk.json.
   * @param assembly directory of a synthesized app; that of `npm start` by default.
   */
  static async start(
    directory = mkdtempSync(join(tmpdir(), "tributary-test-")),
    settings: Readonly<Record<string, unknown>> = {},
    assembly?: string,
  ): Promise<TestService> {
    const data = new DataDirectory(directory);
    const observed = new Set<string>();
    const assemblyDirectory = assembly ?? (await findBuild(settings)).assemblyDirectory;
    const [port = 0, managementPort = 0] = await Promise.all([findFreePort(), findFreePort()]);
    const observer = (caller: string, action: string, resource: string) =>
      void observed.add(`${caller} ${action} ${resource}`);
    const started = await startService(data, { assemblyDirectory, port, managementPort, observer });
    return new TestService(started, data, observed);
  }

  get cloud() {
    return this.started.service.cloud;
  }

  get identity() {
    return this.started.identity;
  }

  get baseUrl(): string {
    return this.started.service.baseUrl;
  }

  /** Calls the main API with the first team's key. */
  call(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { key = this.identity.api_key } = options;
    return request(`${this.baseUrl}${path}`, method, options, key === null ? {} : { "x-service-api-key": key });
  }

  /** Calls the management API with the first organisation's key. */
  manage(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { key = this.identity.management_key } = options;
    const { managementUrl } = this.started.service;
    return request(`${managementUrl}${path}`, method, options, key === null ? {} : { "x-management-key": key });
  }

  /** Waits until nothing is due. */
  async settle(): Promise<void> {
    const { idle, pending } = await settle(this.cloud);
    if (!idle) throw new Error(`not idle: ${JSON.stringify(pending)}`);
  }

  /** Advances the virtual clock and runs everything that becomes due. */
  advance(milliseconds: number): Promise<number> {
    return this.cloud.advance(milliseconds, () => this.settle());
  }

  /** Webhooks that the inbox received, oldest first. */
  async inbox(
    eventType?: string,
  ): Promise<{ headers: Record<string, string>; body: Answer["body"]; verified: boolean }[]> {
    await this.settle();
    const query = eventType === undefined ? "" : `?event_type=${eventType}`;
    return (await this.call("GET", `/_local/inbox${query}`)).body.deliveries;
  }

  /** Creates a user. @returns its id. */
  async createUser(clientUserId: string, key?: string): Promise<string> {
    const answer = await this.call("POST", "/v2/user", {
      body: { client_user_id: clientUserId },
      ...(key ? { key } : {}),
    });
    if (answer.status !== 200) throw new Error(`no user: ${JSON.stringify(answer.body)}`);
    return answer.body.user_id;
  }

  /** Creates another team of the organisation, with its own key. */
  async createTeam(name: string): Promise<{ teamId: string; key: string }> {
    const { org_id } = this.identity;
    const team = await this.manage("POST", `/v1/org/${org_id}/team`, { body: { name, region: "us" } });
    const made = await this.manage("POST", `/v1/org/${org_id}/team_api_keys/sandbox/us`, {
      body: { label: name, team_id: team.body.id },
    });
    if (made.status >= 300) throw new Error(`no team: ${JSON.stringify([team.status, team.body, made.body])}`);
    return { teamId: team.body.id, key: made.body.value };
  }

  /** @param keep keeps the data for another start. */
  async stop({ keep = false } = {}): Promise<void> {
    await this.started.service.stop();
    this.data.close();
    if (!keep) rmSync(this.data.path, { recursive: true, force: true });
  }
}

async function request(
  url: string,
  method: string,
  { body, headers = {} }: RequestOptions,
  auth: Record<string, string>,
): Promise<Answer> {
  const isText = typeof body === "string" || body === undefined;
  const init = {
    method,
    headers: { "content-type": "application/json", ...auth, ...headers },
    redirect: "manual" as const,
  };
  const response = await fetch(url, {
    ...init,
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
