import middy from "@middy/core";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type * as z from "zod";
import type { EndpointContract } from "../contract/endpoint.ts";
import { isFhirPath } from "../contract/fhir-paths.ts";
import { FAILED_REQUESTS_METRIC } from "../domain/operations/metrics.ts";
import { InvalidStartKey } from "../store/key-range.ts";
import { type CallRecorder, createCallRecorder } from "./audit/call-recorder.ts";
import { type ManagementCall, recordManagementCall } from "./audit/record-management-call.ts";
import { withRecordedUsers } from "./audit/recorded-users.ts";
import { tablesOfCaller } from "./aws/tables-of-caller.ts";
import { chargeRefusal, requireAddressBudget } from "./callers/address-budget.ts";
import { authenticators } from "./callers/authenticator-table.ts";
import type { Callers } from "./callers/authenticators.ts";
import { parseAuthorizedInput } from "./callers/authorized-input.ts";
import { withOwnUser } from "./callers/own-user.ts";
import { requireEdge } from "./callers/require-edge.ts";
import { chargeAnswer, chargeRequest, type WorkMeter } from "./callers/work-limit.ts";
import { type GrantedDependencies, resolveDependencies } from "./dependencies.ts";
import {
  AnswerTooLarge,
  ApiError,
  BodyTooLarge,
  Forbidden,
  MalformedBody,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UserKeyGone,
  ValidationFailed,
} from "./errors.ts";
import { Answer, internalError, renderAnswer, renderError } from "./http/answer.ts";
import { requireAnswerSize } from "./http/answer-size.ts";
import { compress } from "./http/compress.ts";
import { renderOutcome } from "./http/operation-outcome.ts";
import { createPageCursor, invalidCursor, type PageCursor } from "./http/page-cursor.ts";
import type { RequestInput } from "./http/request.ts";
import { Log } from "./log.ts";
import { isOutage, serviceBusy } from "./outages.ts";
import { isoNow } from "./ports.ts";
import { Span } from "./span.ts";

/** The input of a function: the parsed request, the caller and a log. */
export type Call<C extends EndpointContract> = RequestInput<C> &
  Callers[C["auth"]] & {
    readonly requestId: string;
    readonly log: Log;
    readonly event: APIGatewayProxyEventV2;
    /** Reads and writes the cursors of the requested list. */
    readonly pages: PageCursor;
    readonly work: WorkMeter;
    /** The recorder of the call in the access log; undefined for a call that is not recorded. */
    readonly notes: CallRecorder | undefined;
  };

/** The state of a request in the middleware chain. Each step adds its part. */
interface RequestPipeline {
  readonly event: APIGatewayProxyEventV2;
  readonly requestId: string;
  readonly log: Log;
  /** Arrival of the request, ISO 8601. */
  readonly at: string;
  /** Version of the function. */
  readonly version: string;
  caller?: object;
  input?: object;
  notes?: CallRecorder | undefined;
  work?: WorkMeter;
}

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;
type Result<C extends EndpointContract> = z.input<C["response"]> | Answer | undefined;

/** Errors that every endpoint may return without declaring them. */
const commonErrors = [
  ...[MalformedBody, Unauthorized, Forbidden, UserKeyGone, TooManyRequests, BodyTooLarge],
  ...[AnswerTooLarge, ValidationFailed, Unavailable],
];

/**
 * Turns a contract and a function into a Lambda handler. The chain authenticates, checks limits and features, parses,
 * calls the function, checks the response and renders JSON. It renders every error in the one error shape, and those of
 * the FHIR interface as OperationOutcomes.
 *
 * @example
 * export const handler = implement(contract, async ({ scope, params }, { users }) => {
 *   const user = await users.get(scope, params.user_id);
 *   if (!user) throw new UserNotFound();
 *   return toWireUser(user, wireSource);
 * });
 */
export function implement<C extends EndpointContract>(
  contract: C,
  operation: (call: Call<C>, deps: GrantedDependencies<C["access"]>) => Promise<Result<C>>,
): Handler {
  const chain = middy<RequestPipeline, APIGatewayProxyStructuredResultV2>()
    .use({
      before: async ({ event }) => {
        requireEdge(contract, event.event);
        await requireAddressBudget(contract, event.event, event.log);
        event.caller = await authenticators[contract.auth](event.event, event.log, contract);
        event.work = await chargeRequest(contract, event.caller, event.event, event.log);
        event.input = parseAuthorizedInput(contract, event.caller, event.event);
        await recordIfManagement(contract, event, null);
        event.notes = createCallRecorder({ ...event, contract });
      },
      onError: (request) => {
        request.response = renderFailure(request.event, toApiError(contract, request.error, request.event.log));
      },
    })
    .handler(async ({ event, requestId, log, caller, input, notes, work }: RequestPipeline) => {
      const deps = withRecordedUsers(await resolveForCaller(contract, caller), notes);
      await notes?.start();
      const pages = createPageCursor(contract, { caller, input });
      const call = { ...input, ...caller, event, requestId, log, work, pages, notes };
      const result = await operation(call as Call<C>, deps as GrantedDependencies<C["access"]>);
      await notes?.settle();
      if (process.env.CHECK_RESPONSES) checkResponse(contract, result);
      return finishAnswer(await chargeAnswer(renderAnswer(result, contract.status, requestId), work), event);
    });
  return async (event, context) => {
    const requestId = event.requestContext.requestId;
    const span = new Span(event.headers.traceparent);
    const { traceId: trace_id } = span.context;
    const log = new Log({ operation: contract.operationId, request_id: requestId, trace_id });
    const passage: RequestPipeline = { event, requestId, log, at: isoNow(), version: context.functionVersion };
    const answer = await span.run(() => chain(passage, context));
    await endRequest(contract, passage, span, answer.statusCode ?? contract.status);
    return answer;
  };
}

/** Resolves the dependencies of a function as its caller may use them. */
async function resolveForCaller(contract: EndpointContract, caller: object = {}) {
  return withOwnUser(await resolveDependencies(contract.access, await tablesOfCaller(contract, caller)), caller);
}

/**
 * Charges a refused request, records the outcome and logs the end of the span. Counts a failed request by the version
 * that answered it: the alarm of a gradual release reads this metric.
 */
async function endRequest(contract: EndpointContract, passage: RequestPipeline, span: Span, status: number) {
  const { event, log, version } = passage;
  await chargeRefusal(contract, event, status, log);
  await recordOutcome(contract, passage, status);
  span.end(log, status < 500 ? "ok" : "failed", { status });
  if (status >= 500) log.metric(FAILED_REQUESTS_METRIC, 1, [{ operation: contract.operationId, version }]);
}

/** Renders an error: as an OperationOutcome on FHIR paths, else in the one error shape. */
const renderFailure = ({ event, requestId }: RequestPipeline, error: ApiError) =>
  isFhirPath(event.rawPath) ? renderOutcome(error, requestId) : renderError(error, requestId);

/** Compresses an answer and checks its size. @throws AnswerTooLarge. */
const finishAnswer = async (answer: APIGatewayProxyStructuredResultV2, { headers }: APIGatewayProxyEventV2) =>
  requireAnswerSize(await compress(answer, headers));

/** Records the outcome. A failure is only logged: the call itself is already recorded. */
async function recordOutcome(contract: EndpointContract, passage: RequestPipeline, status: number): Promise<void> {
  await recordIfManagement(contract, passage, status).catch((error) =>
    passage.log.error("the outcome could not be recorded in the audit log", error),
  );
  await passage.notes?.end(status);
}

async function recordIfManagement(
  contract: EndpointContract,
  passage: RequestPipeline,
  status: number | null,
): Promise<void> {
  if (contract.auth !== "management" || !passage.caller) return;
  await recordManagementCall({ ...passage, contract, caller: passage.caller as ManagementCall["caller"] }, status);
}

/** Validates an answer against its own schema, in tests and locally. */
function checkResponse(contract: EndpointContract, result: unknown): void {
  const isText = result instanceof Answer;
  // A protocol with errors of its own returns them as an answer.
  if (isText && (result.isFile || result.text === "" || (result.status ?? 0) >= 400)) return;
  if (isText && !/[/+]json/.test(result.headers["content-type"] ?? "application/json")) return;
  contract.response.parse(isText ? JSON.parse(result.text) : result);
}

function toApiError(contract: EndpointContract, error: unknown, log: Log): ApiError {
  if (isOutage(error)) {
    log.error("a part of the service did not respond", error);
    return serviceBusy();
  }
  if (error instanceof InvalidStartKey) return invalidCursor();
  const declared = [...commonErrors, ...contract.errors].map(({ code }) => code);
  if (error instanceof ApiError && declared.includes(error.kind.code)) return error;
  log.error(error instanceof ApiError ? `undeclared error ${error.kind.code}` : "unexpected error", error);
  return internalError();
}
