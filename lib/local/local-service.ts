import { appendFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { APP_KEYS, CLIENT_ID, CLIENT_SECRET } from "../simulators/providers/base/application.ts";
import { ProviderServer } from "../simulators/providers/provider-server.ts";
import { controlRoutes } from "./control-routes.ts";
import type { DataDirectory } from "./data-directory.ts";
import { findFreePort } from "./free-port.ts";
import { type HttpApi, startHttpApi } from "./http-api/http-api-server.ts";
import { controlRefusalReason, hostRefusalReason, sendForbidden } from "./http-api/request-origin.ts";
import { Inbox } from "./inbox/inbox.ts";
import { inboxRoutes } from "./inbox/inbox-routes.ts";
import { LocalCloud } from "./local-cloud.ts";
import { StartRefused, toStartRefused } from "./start-refused.ts";
import { readHttpApis } from "./template/read-resources.ts";
import { TraceLog } from "./traces/trace-log.ts";
import { traceRoutes } from "./traces/trace-routes.ts";

/** Options of the local service. */
export interface LocalServiceOptions {
  readonly assemblyDirectory: string;
  readonly data: DataDirectory;
  readonly port: number;
  readonly managementPort: number;
  /** Signing secret of the webhook endpoint that points to the inbox. */
  readonly inboxSecret: string;
  readonly observer?: (caller: string, action: string, resource: string) => void;
}

type PageHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean | Promise<boolean>;

const REGION = "us-east-1";
/** Names of the HTTP APIs, as the templates set them. */
const MAIN_API = "main";
const MANAGEMENT_API = "management";

/** The service on this machine: the local cloud, its HTTP APIs, and the routes below /_local/. */
export class LocalService {
  readonly cloud: LocalCloud;
  readonly inbox: Inbox;
  readonly traces: TraceLog;
  readonly baseUrl: string;
  readonly managementUrl: string;
  #apis: HttpApi[] = [];
  #providers: ProviderServer | undefined;

  /** @throws StartRefused when a port is in use or an engine does not start. */
  static async start(options: LocalServiceOptions): Promise<LocalService> {
    const baseUrl = `http://127.0.0.1:${options.port}`;
    const managementUrl = `http://127.0.0.1:${options.managementPort}`;
    const providerPort = await findFreePort();
    const logFile = options.data.file("functions.log");
    const traces = new TraceLog();
    const starting = LocalCloud.start({
      assemblyDirectory: options.assemblyDirectory,
      data: options.data,
      region: REGION,
      apiOrigins: { [MAIN_API]: baseUrl, [MANAGEMENT_API]: managementUrl },
      environment: {
        CHECK_RESPONSES: "1",
        ALLOW_LOOPBACK_WEBHOOKS: "1",
        PROVIDER_BASE_URL: `http://127.0.0.1:${providerPort}`,
        PROVIDER_CLIENT_ID: CLIENT_ID,
        PROVIDER_CLIENT_SECRET: CLIENT_SECRET,
        PROVIDER_APP_KEYS: JSON.stringify(APP_KEYS),
      },
      log: (functionName, line) => {
        appendFileSync(logFile, `${functionName} ${line}\n`);
        traces.take(line);
      },
      ...(options.observer ? { observer: options.observer } : {}),
    });
    const made = starting.then((cloud) => new LocalService({ cloud, traces }, options, { baseUrl, managementUrl }));
    const service = await made.catch((error) => {
      throw toStartRefused(error, options.data.path);
    });
    try {
      service.#providers = await ProviderServer.start(service.cloud.clock, providerPort);
      await service.#listen({ [MAIN_API]: options.port, [MANAGEMENT_API]: options.managementPort });
    } catch (error) {
      await service.stop();
      throw new StartRefused(error instanceof Error ? error.message : String(error));
    }
    service.cloud.startBackgroundTasks();
    return service;
  }

  private constructor(
    { cloud, traces }: Pick<LocalService, "cloud" | "traces">,
    options: LocalServiceOptions,
    urls: { baseUrl: string; managementUrl: string },
  ) {
    this.cloud = cloud;
    this.traces = traces;
    this.baseUrl = urls.baseUrl;
    this.managementUrl = urls.managementUrl;
    const path = options.data.file("inbox.sqlite");
    this.inbox = new Inbox({ path, secret: () => options.inboxSecret, now: () => cloud.clock.now() });
  }

  /** The simulators of the providers. */
  get providers(): ProviderServer {
    if (!this.#providers) throw new Error("the simulators have not started yet");
    return this.#providers;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#apis.map((api) => api.close()));
    await this.#providers?.stop();
    await this.cloud.stop();
    this.inbox.close();
  }

  async #listen(ports: Readonly<Record<string, number>>): Promise<void> {
    const pages: readonly PageHandler[] = [
      inboxRoutes(this.inbox),
      traceRoutes(this.traces),
      controlRoutes(this.cloud),
    ];
    for (const { name, routes, cors } of readHttpApis(this.cloud.assembly)) {
      const api = await startHttpApi({
        name,
        port: ports[name] ?? 0,
        routes,
        cors,
        clock: this.cloud.clock,
        invoke: (functionArn, event) => this.cloud.host.invoke(functionArn, event),
        beforeRoutes: (request, response) => answerLocalPage(name === MAIN_API ? pages : [], request, response),
      });
      this.#apis.push(api);
    }
  }
}

/** Answers the routes below /_local/ before the routes of the service. Rejects cross-origin requests to both. */
async function answerLocalPage(
  pages: readonly PageHandler[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const url = URL.parse(request.url ?? "/", "http://127.0.0.1");
  const isControl = url?.pathname.startsWith("/_local/");
  const refusal = isControl ? controlRefusalReason(request) : hostRefusalReason(request);
  if (refusal !== undefined) return sendForbidden(response, refusal);
  if (!url || !isControl) return false;
  for (const page of pages) if (await page(request, response, url)) return true;
  return false;
}
