import { randomBytes } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { toQueryErrorResponse } from "../sts/sts-protocol.ts";
import { authorize, findSigner, requiredPermissions } from "./authorization.ts";
import { AwsError, type AwsResponse, toAwsError, toJsonErrorResponse, toXmlErrorResponse } from "./aws-error.ts";
import {
  type AwsRequest,
  CALLER_HEADER,
  CALLER_KEY_HEADER,
  type IncomingRequest,
  isQueryProtocol,
  LOCAL_CALLER,
  readAllBytes,
  requestFingerprint,
  toAwsRequest,
} from "./aws-request.ts";
import { EngineRouter, type Engines } from "./engine-router.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { ConsumedUnits, Meter } from "./meter.ts";
import type { Permission } from "./permission.ts";
import type { Statement } from "./policy.ts";
import { isPresigned, verifyPresigned } from "./presigned-url.ts";
import type { ReadWriteTracker } from "./read-write-tracker.ts";
import type { ResourceIndex } from "./resource-index.ts";

/** Configuration that is known after the templates have been read. */
export interface AwsProxyConfiguration {
  /** IAM statements of each function's role, by physical function name. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>;
  readonly resourceIndex: ResourceIndex;
  readonly engines: Engines;
  readonly faults: FaultInjector;
  readonly meter: Meter;
  readonly readWriteTracker?: ReadWriteTracker;
  /** The local cloud's time, epoch ms. */
  readonly now: () => number;
  /** Called for every permission that a function has and uses. */
  readonly observer?: (caller: string, action: string, resource: string) => void;
}

/** Diagnostics channel that publishes every {@link IncomingRequest} before it is processed. */
export const REQUEST_CHANNEL = "tributary.front.request";
const requestChannel = channel(REQUEST_CHANNEL);

/** SDK clients reuse connections. A server that closes idle connections early makes their next request fail. */
const KEEP_ALIVE_MS = 10 * 60 * 1000;

/**
 * An HTTP proxy in front of all engines of the local cloud. SDK clients reach every service at its origin through
 * `AWS_ENDPOINT_URL`. For each request it identifies the caller by the header `x-caller`, which is valid only together
 * with the caller key of this start. It checks the policies of the caller, or of the role that it has assumed, injects
 * faults, meters, and forwards the request.
 */
export class AwsProxy {
  /** For example `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** Random key that authenticates the caller header of requests over a network connection. */
  readonly callerKey = randomBytes(32).toString("hex");
  /** The secret access key of every function, which signs their presigned URLs. */
  readonly secretAccessKey = randomBytes(32).toString("hex");
  readonly #server: Server;
  #configuration: AwsProxyConfiguration | undefined;
  #router: EngineRouter | undefined;

  /** @param port 0 for any free port. @throws Error with code EADDRINUSE when the port is in use. */
  static async listen(port: number): Promise<AwsProxy> {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return new AwsProxy(server);
  }

  private constructor(server: Server) {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server does not listen on a port");
    this.#server = server;
    this.origin = `http://127.0.0.1:${address.port}`;
    server.on("request", (incoming, response) => void this.#respond(incoming, response));
  }

  /** Starts serving. Before this call every request gets a 503. */
  serve(configuration: AwsProxyConfiguration): void {
    this.#configuration = configuration;
    this.#router = new EngineRouter(configuration.engines, configuration.resourceIndex);
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    this.#router?.close();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /** Handles a request. Every error becomes a response. */
  answer(arrived: IncomingRequest): Promise<AwsResponse> {
    return this.#answer(arrived).catch((thrown) => {
      if (isQueryProtocol(arrived)) return toQueryErrorResponse(toAwsError(thrown));
      const isJson = arrived.headers["x-amz-target"] !== undefined;
      return isJson ? toJsonErrorResponse(toAwsError(thrown)) : toXmlErrorResponse(toAwsError(thrown));
    });
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = incoming;
    const raw = await readAllBytes(incoming).catch(() => undefined);
    // The client aborted the request and expects no response.
    if (raw === undefined) return void response.destroy();
    if (headers[CALLER_KEY_HEADER] !== this.callerKey) delete headers[CALLER_HEADER];
    const answer = await this.answer({ method, path, headers, raw });
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) response.setHeader(name, value);
    response.statusCode = answer.status;
    response.end(answer.body);
  }

  async #answer(arrived: IncomingRequest): Promise<AwsResponse> {
    requestChannel.publish(arrived);
    const request = toAwsRequest(arrived);
    if (isPresigned(request)) return this.#answerLink(request);
    const caller = request.headers[CALLER_HEADER];
    if (typeof caller !== "string") throw unknownCaller(request);
    const { configuration, router } = this.#open();
    if (caller === LOCAL_CALLER)
      return router.send(request).finally(() => configuration.readWriteTracker?.recordWrite());
    return this.#answerTo(caller, request, requiredPermissions(request, configuration.resourceIndex));
  }

  /** Handles a presigned URL with the permissions of its signer. */
  async #answerLink(link: AwsRequest): Promise<AwsResponse> {
    const { policies, resourceIndex, now } = this.#open().configuration;
    const request = verifyPresigned(link, now(), this.secretAccessKey);
    const required = requiredPermissions(request, resourceIndex);
    return this.#answerTo(findSigner(policies, required) ?? "nobody", request, required);
  }

  async #answerTo(caller: string, request: AwsRequest, required: readonly Permission[]): Promise<AwsResponse> {
    const { configuration } = this.#open();
    const assumed = configuration.engines.sts.findSession(request, caller)?.statements;
    authorize(caller, assumed ?? configuration.policies.get(caller) ?? [], required);
    for (const { action, resource } of required) configuration.observer?.(caller, action, resource);
    for (const permission of required) configuration.readWriteTracker?.recordRead(caller, permission);
    const callId = request.headers["amz-sdk-invocation-id"]?.toString();
    const target = {
      service: request.service,
      function: caller,
      callId,
      fingerprint: () => requestFingerprint(request, this.origin),
    };
    return configuration.faults.run(target, () => this.#sendMetered(caller, request, required));
  }

  /** Meters every request that reaches its engine, whether it succeeds or not. */
  async #sendMetered(caller: string, request: AwsRequest, required: readonly Permission[]): Promise<AwsResponse> {
    const { configuration, router } = this.#open();
    const resources = new Map<string, ConsumedUnits | undefined>(
      required.map((one) => [toResourceName(one), undefined]),
    );
    try {
      const { answer, units, written, consumed } = await router.sendMetered(request);
      configuration.meter.keys.record(caller, request, required, consumed, configuration.resourceIndex);
      for (const [table, used] of units) resources.set(table, used);
      for (const name of written) configuration.readWriteTracker?.recordWrite(name);
      return answer;
    } catch (error) {
      // Without a response it is unknown what the engine has written.
      if (request.service === "dynamodb") configuration.readWriteTracker?.recordWrite();
      throw error;
    } finally {
      const { service, operation } = request;
      configuration.meter.record({ caller, service, operation, resources });
    }
  }

  #open(): { configuration: AwsProxyConfiguration; router: EngineRouter } {
    if (!this.#configuration || !this.#router) {
      throw new AwsError(503, "ServiceUnavailable", "the local cloud is still starting");
    }
    return { configuration: this.#configuration, router: this.#router };
  }
}

/** The part of an ARN that names the metered resource: table, queue, bus, bucket, key, secret or state machine. */
function toResourceName({ resource }: Permission): string {
  const [, , service = "", , , path = "", name = path] = resource.split(":");
  if (service === "states" || service === "secretsmanager") return name;
  const [first = "", second = first] = path.split("/");
  return service === "s3" ? first : second;
}

function unknownCaller({ service }: AwsRequest): AwsError {
  const message = `a request without the header ${CALLER_HEADER} has no identity`;
  return service === "s3"
    ? new AwsError(403, "AccessDenied", message)
    : new AwsError(400, "AccessDeniedException", message);
}
