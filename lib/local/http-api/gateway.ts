import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { VirtualClock } from "../clock.ts";
import { type CorsConfiguration, toPreflightResponse, withCors } from "./cors.ts";
import { toGatewayEvent } from "./gateway-event.ts";
import { type GatewayResponse, toErrorResponse, toGatewayResponse } from "./gateway-response.ts";
import { readBody } from "./request-body.ts";
import { parseRequestTarget } from "./request-target.ts";
import { type RouteMatch, RouteTable } from "./route-table.ts";

/** An `AWS::ApiGatewayV2::Route` with the function of its integration. */
export interface HttpApiRoute {
  readonly routeKey: string;
  readonly functionArn: string;
  /** Timeout of the integration. 30 s by default, which is also the maximum. */
  readonly timeoutMs?: number;
}

export interface GatewayOptions {
  readonly name: string;
  readonly routes: readonly HttpApiRoute[];
  readonly clock: Pick<VirtualClock, "now">;
  /** Invokes a function and returns its result. */
  readonly invoke: (functionArn: string, event: APIGatewayProxyEventV2) => Promise<unknown>;
  readonly cors?: CorsConfiguration | undefined;
  /** Maximum size of a request body. 10 MB by default, as in AWS. */
  readonly maxBodyBytes?: number | undefined;
  /** Maximum size of a function's result. 6 MB by default, as in AWS. */
  readonly maxResponseBytes?: number | undefined;
}

/** An HTTP API without its socket: converts requests to responses. Limits: API Gateway, "Quotas for HTTP APIs". */
export class Gateway {
  static readonly maxIntegrationMs = 30_000;
  /** Maximum size of a Lambda event ("Lambda quotas", synchronous invocation payload). */
  static readonly maxEventBytes = 6 * 1024 * 1024;

  readonly #options: GatewayOptions;
  readonly #routes: RouteTable<HttpApiRoute>;

  /** @throws Error for invalid or duplicate routes. */
  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#routes = new RouteTable(options.routes);
  }

  /** @throws Error when the client aborts before its request is complete. */
  async answer(request: IncomingMessage): Promise<GatewayResponse> {
    const { cors } = this.#options;
    const preflight = cors && toPreflightResponse(cors, request);
    if (preflight) return preflight;
    const requestId = randomUUID();
    const answer = await this.#route(request, requestId);
    const identified = { ...answer, headers: { ...answer.headers, "apigw-requestid": requestId } };
    return cors ? withCors(cors, request, identified) : identified;
  }

  async #route(request: IncomingMessage, requestId: string): Promise<GatewayResponse> {
    const target = parseRequestTarget(request.url ?? "");
    if (!target) return toErrorResponse(400, "Bad Request", requestId);
    const match = this.#routes.match(request.method ?? "", target.segments);
    if (!match) return toErrorResponse(404, "Not Found", requestId);
    const body = await readBody(request, this.#options.maxBodyBytes ?? 10 * 1024 * 1024);
    if (!body) return toErrorResponse(413, "Request Too Long", requestId);
    const event = toGatewayEvent({
      request,
      target,
      body,
      routeKey: match.route.routeKey,
      pathParameters: match.pathParameters,
      apiId: this.#options.name,
      accountId: match.route.functionArn.split(":")[4] ?? "",
      requestId,
      timeEpochMs: this.#options.clock.now(),
    });
    if (byteLength(event) > Gateway.maxEventBytes) return toErrorResponse(413, "Request Too Long", requestId);
    return this.#integrate(match, event);
  }

  async #integrate({ route }: RouteMatch<HttpApiRoute>, event: APIGatewayProxyEventV2): Promise<GatewayResponse> {
    const { requestId } = event.requestContext;
    const { invoke, maxResponseBytes = 6 * 1024 * 1024 } = this.#options;
    const timeoutMs = Math.min(route.timeoutMs ?? Gateway.maxIntegrationMs, Gateway.maxIntegrationMs);
    const { promise: timeout, resolve } = Promise.withResolvers<typeof timedOut>();
    const timer = setTimeout(() => resolve(timedOut), timeoutMs);
    try {
      const result = await Promise.race([invoke(route.functionArn, event), timeout]);
      if (result === timedOut) return toErrorResponse(503, "Service Unavailable", requestId);
      if (byteLength(result) > maxResponseBytes) throw new Error(`the result is longer than ${maxResponseBytes} bytes`);
      return toGatewayResponse(result);
    } catch (error) {
      console.error(`${route.routeKey} failed:`, error);
      return toErrorResponse(500, "Internal Server Error", requestId);
    } finally {
      clearTimeout(timer);
    }
  }
}

const timedOut = Symbol("the integration took too long");

function byteLength(payload: unknown): number {
  return Buffer.byteLength(JSON.stringify(payload) ?? "null");
}
