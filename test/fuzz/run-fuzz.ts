import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { AGENT_PATH } from "../../lib/contract/agent-tool.ts";
import type { TestService } from "../support/service.ts";
import { buildRequest } from "./build-request.ts";
import { FuzzRandom } from "./fuzz-random.ts";
import { createFuzzWorld, type FuzzTarget, listFuzzTargets } from "./fuzz-world.ts";
import { SchemaValues } from "./schema-values.ts";

/** Options of a run. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Index of the first request; 0 by default. */
  readonly first?: number;
  readonly onProgress?: (done: number, note: string) => void;
}

/** Results of a run. */
export interface FuzzResult {
  /** Requests that caused a server error, a slow response or an error of another shape; the first few of them. */
  readonly failures: readonly string[];
  readonly failureCount: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** Number of routes that answered at least one request successfully. */
  readonly answered: number;
  readonly routes: number;
  readonly slowestMs: number;
}

/** A slower request is sent again alone, because the machine or parallel requests can cause the delay. */
const SLOW_MS = 1_000;
/** A repeated request with this much CPU time, or this total time, counts as hanging. */
const [HANGS_CPU_MS, HANGS_MS] = [1_000, 10_000];
/** Number of concurrent requests. */
const CONCURRENCY = 10;
/** Requests change the data, so the run creates a new world after this number of requests. */
const REQUESTS_PER_WORLD = 2_500;
const MAX_SHOWN_FAILURES = 20;
/** Laboratories get responses in their own formats. */
const OTHER_TYPES = /^(text\/html|application\/(hl7-v2|fhir\+json))/;
/** Providers get a status without a body. */
const WITHOUT_BODY = /^(HEAD |(GET|POST) \/v2\/link\/push\/)/;

/** Sends invalid and hostile requests to a running service. */
export async function runFuzz(
  service: TestService,
  { requests, seed, first = 0, onProgress }: FuzzOptions,
): Promise<FuzzResult> {
  const targets = listFuzzTargets(service);
  const values = new SchemaValues();
  const tally = new FuzzTally(targets.length);
  let world = await createFuzzWorld(service, 0);
  for (let from = first; from < first + requests; from += CONCURRENCY) {
    if (from > first && (from - first) % REQUESTS_PER_WORLD === 0) world = await createFuzzWorld(service, from);
    const made = Array.from({ length: Math.min(CONCURRENCY, first + requests - from) }, (_, place) => {
      const draw = new FuzzRandom(seed, from + place);
      const target = draw.pick(targets as [FuzzTarget, ...FuzzTarget[]]);
      return { target, event: withoutWait(buildRequest(target, world, values, draw, `request-${from + place}`)) };
    });
    const outcomes = await Promise.all(made.map(({ target, event }) => sendFuzzRequest(service, target, event)));
    for (const [place, { target, event }] of made.entries()) {
      const found = outcomes[place] as Outcome;
      tally.note(target, event, found.tookMs > SLOW_MS ? await sendFuzzRequest(service, target, event) : found);
    }
    onProgress?.(from - first, `${tally.wrongCount} wrong`);
  }
  return tally.result();
}

/** Removes the request's wish to wait until processing ends, because that takes long. */
function withoutWait(event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const body = event.body?.replace(/"wait_for_completion":\s*true/g, '"wait_for_completion":false');
  return body === undefined ? event : { ...event, body };
}

interface Outcome {
  readonly status: number;
  readonly tookMs: number;
  readonly wrong: string;
}

async function sendFuzzRequest(
  service: TestService,
  { arn }: FuzzTarget,
  event: APIGatewayProxyEventV2,
): Promise<Outcome> {
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  const outcome = await answerOf(service, arn, event);
  const [tookMs, { user }] = [performance.now() - startedAt, process.cpuUsage(cpuBefore)];
  const hangs = tookMs > HANGS_MS || (tookMs > SLOW_MS && user / 1_000 > HANGS_CPU_MS);
  return { ...outcome, tookMs, wrong: outcome.wrong || (hangs ? `took ${Math.round(tookMs)} ms` : "") };
}

async function answerOf(service: TestService, arn: string, event: APIGatewayProxyEventV2) {
  try {
    const answer = (await service.cloud.host.invoke(arn, event)) as APIGatewayProxyStructuredResultV2;
    return { status: answer.statusCode ?? 0, wrong: findShapeError(answer, event) };
  } catch (error) {
    return { status: 0, wrong: String(error) };
  }
}

/** Finds what is wrong with an error response. A browser gets an error page. */
function findShapeError(
  { statusCode = 0, headers = {}, body = "" }: APIGatewayProxyStructuredResultV2,
  event: APIGatewayProxyEventV2,
): string {
  if (statusCode < 200 || statusCode >= 500) return `status ${statusCode}: ${body}`;
  const isOther =
    OTHER_TYPES.test(String(headers["content-type"])) || (body === "" && WITHOUT_BODY.test(event.routeKey));
  if (statusCode < 400 || isOther) return "";
  const { detail, code, request_id, error } = parsed(body);
  if (event.routeKey === `POST ${AGENT_PATH}`)
    return isRpcError(error) ? "" : `no JSON-RPC error: ${statusCode} ${body}`;
  if (event.routeKey === TOKEN_ROUTE && typeof error === "string") return "";
  const isShape = detail !== undefined && typeof code === "string" && request_id === event.requestContext.requestId;
  return isShape ? "" : `another shape: ${statusCode} ${body}`;
}

/** The route whose errors are those of OAuth 2.0. */
const TOKEN_ROUTE = "POST /fhir/auth/token";

/** Agents get errors of JSON-RPC. */
const isRpcError = (error: unknown) => Number.isInteger((error as { code?: unknown } | undefined)?.code);

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

class FuzzTally {
  wrongCount = 0;
  readonly #routes: number;
  readonly #wrong: string[] = [];
  readonly #statuses: Record<number, number> = {};
  readonly #answered = new Set<string>();
  #slowestMs = 0;

  constructor(routes: number) {
    this.#routes = routes;
  }

  note({ path }: FuzzTarget, event: APIGatewayProxyEventV2, { status, tookMs, wrong }: Outcome): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#slowestMs = Math.max(this.#slowestMs, tookMs);
    if (status < 400) this.#answered.add(`${event.requestContext.http.method} ${path}`);
    if (!wrong) return;
    this.wrongCount += 1;
    const { body = "", isBase64Encoded, headers, pathParameters } = event;
    const sent = isBase64Encoded ? Buffer.from(body, "base64").toString("latin1") : body;
    const about = [
      event.requestContext.requestId,
      event.routeKey,
      JSON.stringify(pathParameters),
      event.rawQueryString,
      JSON.stringify(headers),
      sent,
    ];
    if (this.#wrong.length < MAX_SHOWN_FAILURES)
      this.#wrong.push(`${wrong.slice(0, 300)}\n  ${about.join("\n  ").slice(0, 1_200)}`);
  }

  result(): FuzzResult {
    return {
      failures: this.#wrong,
      failureCount: this.wrongCount,
      statuses: this.#statuses,
      answered: this.#answered.size,
      routes: this.#routes,
      slowestMs: this.#slowestMs,
    };
  }
}
