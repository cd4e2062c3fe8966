import { randomBytes } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { authorize, requiredPermissions, signerOf } from "./authorization.ts";
import { type Answer, AwsError, jsonError, toAwsError, xmlError } from "./aws-error.ts";
import {
  type ArrivedRequest,
  type AwsRequest,
  CALLER_HEADER,
  CALLER_KEY_HEADER,
  LOCAL_CALLER,
  readBody,
  toAwsRequest,
} from "./aws-request.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Changes } from "./changes.ts";
import { EngineRouter, type Engines } from "./engines.ts";
import type { Faults } from "./faults.ts";
import type { Meter, Units } from "./meter.ts";
import type { Permission } from "./permission.ts";
import type { Statement } from "./policy.ts";
import { isPresigned, openPresigned } from "./presigned-link.ts";

/** Configuration that is known after the templates have been read. */
export interface FrontConfiguration {
  /** IAM statements of each function's role, by physical function name. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>;
  readonly catalogue: Catalogue;
  readonly engines: Engines;
  readonly faults: Faults;
  readonly meter: Meter;
  readonly changes?: Changes;
  /** The local cloud's time, epoch ms. */
  readonly now: () => number;
  /** Called for every permission that a function has and uses. */
  readonly observer?: (caller: string, action: string, resource: string) => void;
}

/** Diagnostics channel that publishes every {@link ArrivedRequest} before it is processed. */
export const REQUEST_CHANNEL = "tributary.front.request";
const arrivals = channel(REQUEST_CHANNEL);

/** SDK clients reuse connections. A server that closes idle connections early makes their next request fail. */
const KEEP_ALIVE_MS = 10 * 60 * 1000;

/**
 * An HTTP proxy in front of all engines of the local cloud. SDK clients reach every service at its origin through
 * `AWS_ENDPOINT_URL`. For each request it identifies the caller by the header `x-caller`, which is valid only together
 * with the caller key of this start. It checks the caller's policies, injects faults, meters, and forwards the request.
 */
export class Front {
  /** For example `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** Random key that authenticates the caller header of requests over a network connection. */
  readonly callerKey = randomBytes(32).toString("hex");
  /** The secret access key of every function, which signs their presigned URLs. */
  readonly secretAccessKey = randomBytes(32).toString("hex");
  readonly #server: Server;
  #configuration: FrontConfiguration | undefined;
  #router: EngineRouter | undefined;

  /** @param port 0 for any free port. @throws Error with code EADDRINUSE when the port is in use. */
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

  /** Starts serving. Before this call every request gets a 503. */
  serve(configuration: FrontConfiguration): void {
    this.#configuration = configuration;
    this.#router = new EngineRouter(configuration.engines, configuration.catalogue);
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    this.#router?.close();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /** Handles a request. Every error becomes a response. */
  answer(arrived: ArrivedRequest): Promise<Answer> {
    return this.#answer(arrived).catch((thrown) => {
      const isJson = arrived.headers["x-amz-target"] !== undefined;
      return isJson ? jsonError(toAwsError(thrown)) : xmlError(toAwsError(thrown));
    });
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = incoming;
    const raw = await readBody(incoming).catch(() => undefined);
    // The client aborted the request and expects no response.
    if (raw === undefined) return void response.destroy();
    if (headers[CALLER_KEY_HEADER] !== this.callerKey) delete headers[CALLER_HEADER];
    const answer = await this.answer({ method, path, headers, raw });
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) response.setHeader(name, value);
    response.statusCode = answer.status;
    response.end(answer.body);
  }

  async #answer(arrived: ArrivedRequest): Promise<Answer> {
    arrivals.publish(arrived);
    const request = toAwsRequest(arrived);
    if (isPresigned(request)) return this.#answerLink(request);
    const caller = request.headers[CALLER_HEADER];
    if (typeof caller !== "string") throw unknownCaller(request);
    const { configuration, router } = this.#open();
    if (caller === LOCAL_CALLER) return router.send(request).finally(() => configuration.changes?.noteWrite());
    return this.#answerTo(caller, request, requiredPermissions(request, configuration.catalogue));
  }

  /** Handles a presigned URL with the permissions of its signer. */
  async #answerLink(link: AwsRequest): Promise<Answer> {
    const { policies, catalogue, now } = this.#open().configuration;
    const request = openPresigned(link, now(), this.secretAccessKey);
    const required = requiredPermissions(request, catalogue);
    return this.#answerTo(signerOf(policies, required) ?? "nobody", request, required);
  }

  async #answerTo(caller: string, request: AwsRequest, required: readonly Permission[]): Promise<Answer> {
    const { configuration } = this.#open();
    authorize(caller, configuration.policies.get(caller) ?? [], required);
    for (const { action, resource } of required) configuration.observer?.(caller, action, resource);
    for (const permission of required) configuration.changes?.noteUse(caller, permission);
    const callId = request.headers["amz-sdk-invocation-id"]?.toString();
    const target = { service: request.service, function: caller, callId, about: () => aboutOf(request) };
    return configuration.faults.run(target, () => this.#sendMetered(caller, request, required));
  }

  /** Meters every request that reaches its engine, whether it succeeds or not. */
  async #sendMetered(caller: string, request: AwsRequest, required: readonly Permission[]): Promise<Answer> {
    const { configuration, router } = this.#open();
    const resources = new Map<string, Units | undefined>(required.map((one) => [meteredName(one), undefined]));
    try {
      const { answer, units, written } = await router.sendMetered(request);
      for (const [table, used] of units) resources.set(table, used);
      for (const name of written) configuration.changes?.noteWrite(name);
      return answer;
    } catch (error) {
      // Without a response it is unknown what the engine has written.
      if (request.service === "dynamodb") configuration.changes?.noteWrite();
      throw error;
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

/** The part of an ARN that names the metered resource: table, queue, bus, bucket, key, secret or state machine. */
function meteredName({ resource }: Permission): string {
  const [, , service = "", , , path = "", name = path] = resource.split(":");
  if (service === "states" || service === "secretsmanager") return name;
  const [first = "", second = first] = path.split("/");
  return service === "s3" ? first : second;
}

/** Content of a request that identifies equal requests. The random token of a transaction is left out. */
const aboutOf = ({ operation, path, raw }: AwsRequest): string =>
  `${operation} ${path} ${raw.toString("latin1").replace(/"ClientRequestToken":"[^"]*"/, "")}`;

function unknownCaller({ service }: AwsRequest): AwsError {
  const message = `a request without the header ${CALLER_HEADER} has no identity`;
  return service === "s3"
    ? new AwsError(403, "AccessDenied", message)
    : new AwsError(400, "AccessDeniedException", message);
}
