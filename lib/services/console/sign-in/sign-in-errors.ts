import * as oauth from "oauth4webapi";
import { ApiError, Forbidden, NotPossible, Unauthorized } from "../../../runtime/errors.ts";
import type { Log } from "../../../runtime/log.ts";

/** Errors of a sign-in at a provider. Each says to the person what to do. */
export const noProvider = () =>
  new NotPossible("This team has no provider to sign in at. Compare the address with the one of your administrator.");
export const providerChanged = () =>
  new NotPossible("The provider of the team changed during the sign-in. Sign in again.");
export const configurationInvalid = (options?: ErrorOptions) =>
  new NotPossible(
    "The address of the provider does not answer as OpenID Connect demands. Ask your administrator to check its issuer.",
    options,
  );
const noAnswer = (options: ErrorOptions) =>
  new NotPossible(
    "The provider did not answer. Wait a minute, then sign in again. Tell your administrator if it stays so.",
    options,
  );
const clientRefused = (options: ErrorOptions) =>
  new NotPossible(
    "The provider does not accept this console. Ask your administrator to check client id, secret and redirect URI.",
    options,
  );
export const wrongBrowser = () =>
  new Unauthorized(
    "This browser did not begin the sign-in, finished it before, or took more than ten minutes. Sign in again.",
  );
const codeRefused = (options: ErrorOptions) =>
  new Unauthorized("The provider does not accept the code of this sign-in. Sign in again.", options);
export const tokenInvalid = (options?: ErrorOptions) =>
  new Unauthorized(
    "The answer of the provider is not valid for this sign-in. Sign in again. Tell your administrator if it stays so.",
    options,
  );
const denied = (options: ErrorOptions) =>
  new Forbidden("The provider refused the sign-in. Sign in again, with an account that it allows here.", options);
export const noRole = () =>
  new Forbidden("Your account has no role in this console. Ask your administrator for a group that has one.");

/** Codes of errors of oauth4webapi for responses that have another form than the protocol demands. */
const malformed: readonly unknown[] = [
  oauth.RESPONSE_IS_NOT_CONFORM,
  oauth.RESPONSE_IS_NOT_JSON,
  oauth.PARSE_ERROR,
  oauth.MISSING_SERVER_METADATA,
  oauth.INVALID_SERVER_METADATA,
  oauth.JSON_ATTRIBUTE_COMPARISON,
];

/**
 * Runs steps of the protocol. Logs the kind of an error and nothing of the responses, which contain tokens.
 * @param invalid creates the error for a response that the protocol does not allow.
 */
export async function explainProviderErrors<T>(
  work: () => Promise<T>,
  log: Log,
  invalid: (options: ErrorOptions) => ApiError = tokenInvalid,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown };
    log.warn("a sign-in at a provider failed", { reason: String(code ?? name) });
    throw toApiError(cause, code) ?? invalid({ cause });
  }
}

/** @returns undefined for a response that the protocol does not allow. */
function toApiError(cause: unknown, code: unknown): ApiError | undefined {
  if (cause instanceof oauth.AuthorizationResponseError) return denied({ cause });
  if (cause instanceof oauth.ResponseBodyError)
    return cause.error === "invalid_grant" ? codeRefused({ cause }) : clientRefused({ cause });
  if (cause instanceof oauth.WWWAuthenticateChallengeError) return clientRefused({ cause });
  if (malformed.includes(code)) return configurationInvalid({ cause });
  const isOfProtocol =
    cause instanceof oauth.OperationProcessingError || cause instanceof oauth.UnsupportedOperationError;
  return isOfProtocol ? undefined : noAnswer({ cause });
}
