import middy from "@middy/core";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type * as z from "zod";
import type { Auth, EndpointContract } from "../contract/endpoint.ts";
import { StartKeyRefused } from "../store/key-range.ts";
import { payForRefusal, requireAddressBudget } from "./address-budget.ts";
import { Answer, renderAnswer, renderError, unforeseen } from "./answer.ts";
import { requireCarried } from "./answer-size.ts";
import { type AuditedCall, audit } from "./audit/auditing.ts";
import { type CallNotes, callNotes } from "./audit/call-notes.ts";
import { watched } from "./audit/watched-users.ts";
import {
  authenticateLab,
  authenticateManagement,
  authenticateTeam,
  type LabCaller,
  type ManagementCaller,
  type TeamCaller,
} from "./authenticate.ts";
import { compress } from "./compress.ts";
import { requireEdge } from "./edge/require-edge.ts";
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
import { authenticateReview, type ReviewCaller } from "./lab-reports/authenticate-review.ts";
import { authenticateLink, type LinkCaller } from "./linking/authenticate-link.ts";
import { authenticateSession, type SessionCaller } from "./linking/authenticate-session.ts";
import { Log } from "./log.ts";
import { busy, isOutage } from "./outages.ts";
import { cursorsOf, foreignCursor, type PageCursor } from "./page-cursor.ts";
import { permittedInput } from "./permitted-input.ts";
import { authenticatePortal, type PortalCaller } from "./portal-session.ts";
import { isoNow } from "./ports.ts";
import type { Input } from "./request.ts";
import { admit } from "./request-limit.ts";
import { type Uses, usesOf } from "./uses.ts";
import { beginWork, paidFor, type Work } from "./work-limit.ts";

interface Callers {
  team: TeamCaller;
  lab: LabCaller;
  management: ManagementCaller;
  portal: PortalCaller;
  review: ReviewCaller;
  link: LinkCaller;
  session: SessionCaller;
  none: object;
}

/** The input of a function: the parsed request, the caller and a log. */
export type Call<C extends EndpointContract> = Input<C> &
  Callers[C["auth"]] & {
    readonly requestId: string;
    readonly log: Log;
    readonly event: APIGatewayProxyEventV2;
    /** Reads and writes the cursors of the requested list. */
    readonly pages: PageCursor;
    readonly work: Work;
  };

/** The state of a request in the middleware chain. Each step adds its part. */
interface Passage {
  readonly event: APIGatewayProxyEventV2;
  readonly requestId: string;
  readonly log: Log;
  /** Arrival of the request, ISO 8601. */
  readonly at: string;
  caller?: object;
  input?: object;
  notes?: CallNotes | undefined;
  work?: Work;
}

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;
type Result<C extends EndpointContract> = z.input<C["response"]> | Answer | undefined;

/** Errors that every endpoint may return without declaring them. */
const common = [
  ...[MalformedBody, Unauthorized, Forbidden, UserKeyGone, TooManyRequests, BodyTooLarge],
  ...[AnswerTooLarge, ValidationFailed, Unavailable],
];

/**
 * Turns a contract and a function into a Lambda handler. The chain authenticates, checks limits and features, parses,
 * calls the function, checks the response and renders JSON. It renders every error in the one error shape.
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
  operation: (call: Call<C>, uses: Uses<C["access"]>) => Promise<Result<C>>,
): Handler {
  const chain = middy<Passage, APIGatewayProxyStructuredResultV2>()
    .use({
      before: async ({ event }) => {
        requireEdge(event.event.headers);
        await requireAddressBudget(contract, event.event, event.log);
        event.caller = await callers[contract.auth](event.event.headers, event.log);
        event.work = await beginWork(contract, event.caller, event.event, event.log);
        event.input = permittedInput(contract, event.caller, event.event);
        await noteIfManagement(contract, event, null);
        event.notes = callNotes({ ...event, contract });
      },
      onError: (request) => {
        const { requestId, log } = request.event;
        request.response = renderError(toApiError(contract, request.error, log), requestId);
      },
    })
    .handler(async ({ event, requestId, log, caller, input, notes, work }: Passage) => {
      const uses = watched(await usesOf(contract.access), notes);
      await notes?.begin();
      const pages = cursorsOf(contract, { caller, input });
      const call = { ...input, ...caller, event, requestId, log, work, pages };
      const result = await operation(call as Call<C>, uses as Uses<C["access"]>);
      await notes?.settle();
      if (process.env.CHECK_RESPONSES) checkResponse(contract, result);
      return sent(await paidFor(renderAnswer(result, contract.status, requestId), work), event);
    });
  return async (event, context) => {
    const requestId = event.requestContext.requestId;
    const log = new Log({ operation: contract.operationId, request_id: requestId });
    const passage: Passage = { event, requestId, log, at: isoNow() };
    const answer = await chain(passage, context);
    await payForRefusal(contract, event, answer.statusCode ?? contract.status, log);
    await noteEnd(contract, passage, answer.statusCode ?? contract.status);
    return answer;
  };
}

/** Compresses an answer and checks its size. @throws AnswerTooLarge. */
const sent = async (answer: APIGatewayProxyStructuredResultV2, { headers }: APIGatewayProxyEventV2) =>
  requireCarried(await compress(answer, headers));

/** Records the outcome. A failure is only logged: the call itself is already recorded. */
async function noteEnd(contract: EndpointContract, passage: Passage, status: number): Promise<void> {
  await noteIfManagement(contract, passage, status).catch((error) =>
    passage.log.error("the outcome could not be recorded in the audit log", error),
  );
  await passage.notes?.end(status);
}

async function noteIfManagement(contract: EndpointContract, passage: Passage, status: number | null): Promise<void> {
  if (contract.auth !== "management" || !passage.caller) return;
  await audit({ ...passage, contract, caller: passage.caller as AuditedCall["caller"] }, status);
}

const callers: Readonly<Record<Auth, (headers: APIGatewayProxyEventV2["headers"], log: Log) => Promise<object>>> = {
  team: (headers, log) => admitted(authenticateTeam(headers), log),
  lab: (headers, log) => admitted(authenticateLab(headers), log),
  management: authenticateManagement,
  portal: authenticatePortal,
  review: authenticateReview,
  link: authenticateLink,
  session: authenticateSession,
  none: async () => ({}),
};

/** Returns the caller if the team is within its rate limit. @throws Unauthorized, TooManyRequests. */
async function admitted<Caller extends TeamCaller | LabCaller>(found: Promise<Caller>, log: Log): Promise<Caller> {
  const caller = await found;
  await admit(caller.team, log);
  return caller;
}

/** Validates an answer against its own schema, in tests and locally. */
function checkResponse(contract: EndpointContract, result: unknown): void {
  const isText = result instanceof Answer;
  if (isText && (result.text === "" || !(result.headers["content-type"] ?? "application/json").includes("json")))
    return;
  contract.response.parse(isText ? JSON.parse(result.text) : result);
}

function toApiError(contract: EndpointContract, error: unknown, log: Log): ApiError {
  if (isOutage(error)) {
    log.error("a part of the service did not respond", error);
    return busy();
  }
  if (error instanceof StartKeyRefused) return foreignCursor();
  const declared = [...common, ...contract.errors].map(({ code }) => code);
  if (error instanceof ApiError && declared.includes(error.kind.code)) return error;
  log.error(error instanceof ApiError ? `undeclared error ${error.kind.code}` : "unexpected error", error);
  return unforeseen();
}
