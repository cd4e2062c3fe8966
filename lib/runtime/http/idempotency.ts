import { createHash } from "node:crypto";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { IdempotencyStore, IdempotentRequest, IdempotentResponse } from "../../store/idempotency.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { ApiError, Conflict, ValidationFailed } from "../errors.ts";
import { ports } from "../ports.ts";
import { Answer } from "./answer.ts";

/** Request headers of idempotent requests. */
export const idempotencyKeyHeader = "x-idempotency-key";
const errorHeader = "x-idempotency-error";
const MAX_KEY_CHARACTERS = 255;

/** A request that may carry an idempotency key. */
interface IdempotentCall {
  readonly contract: EndpointContract;
  readonly scope: TeamScope;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** Retention of the stored answer, ms. */
  readonly retentionMs: number;
}

/** The planned effect of a request, before it is written. */
interface PlannedEffect {
  readonly userId: string;
  readonly answer: unknown;
  /** Writes the effect and these items in one transaction. */
  readonly write: (more: readonly WriteItem[]) => Promise<void>;
}

/**
 * Processes a request once per idempotency key. A repeated key with the same body gets the first answer, including an
 * error of a valid request (unless `X-Idempotency-Error` is `no-cache`). One transaction writes the answer with its
 * effect, so of several concurrent requests one takes effect and the others get its answer.
 *
 * @param plan checks the request and returns its effect without writing it.
 * @throws Conflict for a key that came with another body; ValidationFailed for a malformed key.
 */
export async function runOncePerKey(
  keyed: IdempotentCall,
  requests: IdempotencyStore,
  plan: () => Promise<PlannedEffect>,
): Promise<Answer> {
  const request = toKeyedRequest(keyed);
  const { scope } = keyed;
  if (request === undefined) {
    const { answer, write } = await plan();
    await write([]);
    return new Answer(JSON.stringify(answer));
  }
  const replay = async () => {
    const known = await requests.find(scope, request, ports().clock.now());
    return known && replayAnswer(known, request, keyed.contract);
  };
  const earlier = await replay();
  if (earlier) return earlier;
  try {
    const { answer, userId, write } = await plan();
    const text = JSON.stringify(answer);
    await write(requests.putSuccessItems(scope, request, userId, text, ports().clock.now()));
    return new Answer(text);
  } catch (error) {
    if (!(error instanceof ConditionFailed || error instanceof ApiError)) throw error;
    if (await storeRefusal(error, keyed, request, requests)) throw error;
    // The refusal may follow from the effect of a concurrent copy, whose transaction stored the answer for both.
    const winner = await replay();
    if (winner) return winner;
    throw error;
  }
}

/** Returns the required idempotency key of a request. @throws ValidationFailed if it is missing or too long. */
export function requireIdempotencyKey(headers: IdempotentCall["headers"]): string {
  const key = headers[idempotencyKeyHeader];
  if (!key || key.length > MAX_KEY_CHARACTERS) {
    throw ValidationFailed.at(["header", idempotencyKeyHeader], `1 to ${MAX_KEY_CHARACTERS} characters`);
  }
  return key;
}

function toKeyedRequest({ contract, headers, body, retentionMs }: IdempotentCall): IdempotentRequest | undefined {
  if (headers[idempotencyKeyHeader] === undefined) return undefined;
  const key = requireIdempotencyKey(headers);
  const digest = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  return { operation: contract.operationId, key, digest, expiresMs: ports().clock.now() + retentionMs };
}

function replayAnswer(
  { digest, answer }: { digest: string; answer: IdempotentResponse },
  request: IdempotentRequest,
  contract: EndpointContract,
): Answer {
  if (digest !== request.digest) throw new Conflict("This idempotency key was used with a different body.");
  if (answer.kind === "success") return new Answer(answer.text);
  throw createRefusal(contract, answer.code, answer.detail);
}

/** Recreates the error with this code, as the contract declares it. */
function createRefusal(contract: EndpointContract, code: string, detail: string): Error {
  const kind = contract.errors.find((error) => error.code === code) as (new (detail: string) => ApiError) | undefined;
  return kind ? new kind(detail) : new Conflict("This idempotency key was used for a request that was rejected.");
}

/**
 * Stores an error as the answer of a free key. Invalid requests, temporary errors and `no-cache` leave the key free.
 * @returns whether the error is the stored answer.
 */
async function storeRefusal(
  error: unknown,
  { contract, scope, headers }: IdempotentCall,
  request: IdempotentRequest,
  requests: IdempotencyStore,
): Promise<boolean> {
  if (!(error instanceof ApiError) || typeof error.detail !== "string") return false;
  if (headers[errorHeader]?.toLowerCase() === "no-cache") return false;
  const { status, code } = error.kind;
  const isOwn = contract.errors.some((declared) => declared.code === code);
  if (!isOwn || status >= 500 || error instanceof Conflict) return false;
  return requests.putRefusal(scope, request, { code, detail: error.detail }, ports().clock.now());
}
