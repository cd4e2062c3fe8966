import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { authorize, requiredPermissions, signerOf } from "./authorization.ts";
import { type Answer, AwsError, jsonError, toAwsError, xmlError } from "./aws-error.ts";
import { type AwsRequest, CALLER_HEADER, LOCAL_CALLER, readAwsRequest } from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import { EngineRouter, type Engines } from "./engines.ts";
import type { Faults } from "./faults.ts";
import type { Meter, Units } from "./meter.ts";
import type { Permission } from "./permission.ts";
import type { Statement } from "./policy.ts";
import { isPresigned, openPresigned } from "./presigned-link.ts";

/** What the front serves, known once the templates have been read. */
export interface FrontConfiguration {
  /** Statements of each function's role, by physical function name. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>;
  readonly catalogue: Catalogue;
  readonly engines: Engines;
  readonly faults: Faults;
  readonly meter: Meter;
  /** The local cloud's time, epoch ms. */
  readonly now: () => number;
  /** Told of every permission that a function had and used. */
  readonly observer?: (caller: string, action: string, resource: string) => void;
}

/** SDK clients keep connections open; a server that closes idle ones early makes their next request fail. */
const KEEP_ALIVE_MS = 10 * 60 * 1000;

/**
 * The one door to all services of the local cloud: an HTTP server that SDK clients reach through
 * `AWS_ENDPOINT_URL_*`, every service at the same origin. It knows the caller by the header `x-caller`, checks the
 * caller's policy, injects faults, meters, and hands the request to the engine.
 */
export class Front {
  /** For example `http://127.0.0.1:4566`. */
  readonly origin: string;
  readonly #server: Server;
  #configuration: FrontConfiguration | undefined;
  #router: EngineRouter | undefined;

  /** @param port 0 for any free one; @throws Error with code EADDRINUSE when the port is taken */
  static async listen(port: number): Promise<Front> {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return new Front(server);
  }

  private constructor(server: Server) {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server does not listen on a port");
    this.#server = server;
    this.origin = `http://127.0.0.1:${address.port}`;
    server.on("request", (incoming, response) => void this.#respond(incoming, response));
  }

  /** Opens the door; until then every request is answered with 503. */
  serve(configuration: FrontConfiguration): void {
    this.#configuration = configuration;
    this.#router = new EngineRouter(configuration.engines);
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    this.#router?.close();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(incoming).catch((thrown) => {
      const isJson = incoming.headers["x-amz-target"] !== undefined;
      return isJson ? jsonError(toAwsError(thrown)) : xmlError(toAwsError(thrown));
    });
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) response.setHeader(name, value);
    response.statusCode = answer.status;
    response.end(answer.body);
  }

  async #answer(incoming: IncomingMessage): Promise<Answer> {
    const request = await readAwsRequest(incoming);
    if (isPresigned(request)) return this.#answerLink(request);
    const caller = request.headers[CALLER_HEADER];
    if (typeof caller !== "string") throw unknownCaller(request);
    const { configuration, router } = this.#open();
    if (caller === LOCAL_CALLER) return router.send(request);
    return this.#answerTo(caller, request, requiredPermissions(request, configuration.catalogue));
  }

  /** Whoever has a link may do what its signer may. */
  async #answerLink(link: AwsRequest): Promise<Answer> {
    const { policies, catalogue, now } = this.#open().configuration;
    const request = openPresigned(link, now());
    const required = requiredPermissions(request, catalogue);
    return this.#answerTo(signerOf(policies, required) ?? "nobody", request, required);
  }

  async #answerTo(caller: string, request: AwsRequest, required: readonly Permission[]): Promise<Answer> {
    const { configuration } = this.#open();
    authorize(caller, configuration.policies.get(caller) ?? [], required);
    for (const { action, resource } of required) configuration.observer?.(caller, action, resource);
    const callId = request.headers["amz-sdk-invocation-id"]?.toString();
    const target = { service: request.service, function: caller, callId, about: () => aboutOf(request) };
    return configuration.faults.run(target, () => this.#sendMetered(caller, request, required));
  }

  /** Whatever reached its engine counts, refused or not. */
  async #sendMetered(caller: string, request: AwsRequest, required: readonly Permission[]): Promise<Answer> {
    const { configuration, router } = this.#open();
    const resources = new Map<string, Units | undefined>(required.map((one) => [meteredName(one), undefined]));
    try {
      const { answer, units } = await router.sendMetered(request);
      for (const [table, used] of units) resources.set(table, used);
      return answer;
    } finally {
      const { service, operation } = request;
      configuration.meter.record({ caller, service, operation, resources });
    }
  }

  #open(): { configuration: FrontConfiguration; router: EngineRouter } {
    if (!this.#configuration || !this.#router) {
      throw new AwsError(503, "ServiceUnavailable", "the local cloud is still starting");
    }
    return { configuration: this.#configuration, router: this.#router };
  }
}

/** Table, queue, bus, bucket, key, secret or state machine: the part of the ARN that names what is metered. */
function meteredName({ resource }: Permission): string {
  const [, , service = "", , , path = "", name = path] = resource.split(":");
  if (service === "states" || service === "secretsmanager") return name;
  const [first = "", second = first] = path.split("/");
  return service === "s3" ? first : second;
}

/** What a request asks; clients number transactions by chance. */
const aboutOf = ({ operation, path, raw }: AwsRequest): string =>
  `${operation} ${path} ${raw.toString("latin1").replace(/"ClientRequestToken":"[^"]*"/, "")}`;

function unknownCaller({ service }: AwsRequest): AwsError {
  const message = `a request without the header ${CALLER_HEADER} has no identity`;
  return service === "s3"
    ? new AwsError(403, "AccessDenied", message)
    : new AwsError(400, "AccessDeniedException", message);
}
