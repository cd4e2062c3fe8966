import type { ErrorCode, StatusOf } from "../contract/error-table.ts";
import type { RefusedLinkType } from "../domain/connections/link/link-errors.ts";

/** The location of an invalid value in the request, and the reason. Never the value itself: it may be personal data. */
export interface ErrorLocation {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** The `detail` of an error response: a sentence, a list of locations, or an object. */
export type ErrorDetail = string | readonly ErrorLocation[] | Readonly<Record<string, unknown>>;

/**
 * An error response. Each meaning has its own class with a stable `status` and `code`.
 * Permanent errors are never 5xx or 429, because clients retry those.
 */
export class ApiError extends Error {
  static readonly status: number = 500;
  static readonly code: ErrorCode = "internal_error";
  readonly detail: ErrorDetail;
  /** Additional top-level keys of the body. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    detail: ErrorDetail,
    options: ErrorOptions & {
      extra?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(typeof detail === "string" ? detail : "request refused", options);
    this.name = new.target.name;
    this.detail = detail;
    this.extra = options.extra ?? {};
    this.headers = options.headers ?? {};
  }

  get kind(): { readonly status: number; readonly code: ErrorCode } {
    const { status, code } = this.constructor as typeof ApiError;
    return { status, code };
  }
}

/** Creates the base class of one meaning. lib/contract/error-table.ts says what it means and what helps. */
const errorKind = <Code extends ErrorCode>(httpStatus: StatusOf<Code>, errorCode: Code) =>
  class extends ApiError {
    static override readonly status: number = httpStatus;
    static override readonly code = errorCode;
  };

/** 400: the body is not JSON. */
export class MalformedBody extends errorKind(400, "malformed_body") {}

/** 401: the credential is missing, malformed, unknown, revoked or of the wrong kind. */
export class Unauthorized extends errorKind(401, "unauthorized") {}

/** 403: the credential lacks the permission, or the feature is off for the team. */
export class Forbidden extends errorKind(403, "forbidden") {}

/** 403: the provider of a phone was disconnected after its sign-in. A new sign-in connects it again. */
export class ConnectionEnded extends errorKind(403, "connection_ended") {
  constructor() {
    super("The user was disconnected from this provider.");
  }
}

/** 404: the route does not exist. */
export class RouteNotFound extends errorKind(404, "route_not_found") {}

/** 405: the path exists, and takes another method. */
export class MethodNotAllowed extends errorKind(405, "method_not_allowed") {}

/** 404: the team has no user with this id, or the user's deletion is pending. */
export class UserNotFound extends errorKind(404, "user_not_found") {
  constructor() {
    super("User not found.");
  }
}

/** 404: the team has no object of the named kind with this id. */
export class NotFound extends errorKind(404, "not_found") {}

/** 400: the `client_user_id` belongs to another user. The top of the body and `detail` name that user. */
export class ClientUserIdTaken extends errorKind(400, "client_user_id_taken") {
  constructor(holder: { user_id: string; created_on: string }) {
    const error = { error_type: "INVALID_REQUEST", error_message: "client_user_id already exists." };
    super({ ...error, ...holder }, { extra: holder });
  }

  /** Creates the error from the reservation that holds the `client_user_id`. */
  static fromReservation(reservation: Readonly<Record<string, unknown>> | undefined): ClientUserIdTaken {
    return new ClientUserIdTaken({
      user_id: String(reservation?.user_id ?? ""),
      created_on: String(reservation?.created_on ?? ""),
    });
  }
}

/** 400: the deletion cannot be undone. */
export class UndoRefused extends errorKind(400, "undo_refused") {}

/** 400: the request is well formed, but the current state does not allow it. */
export class NotPossible extends errorKind(400, "not_possible") {}

/** 400: the files are not a readable lab report. The detail says why. */
export class ReportRefused extends errorKind(400, "report_refused") {}

/** 400: a connection failed. `error_type` names the reason. */
export class LinkRefused extends errorKind(400, "link_refused") {
  constructor(error_type: RefusedLinkType, error: string, options?: ErrorOptions) {
    super({ error_type, error }, options);
  }
}

/** 409: the request conflicts with an existing object or a concurrent change. */
export class Conflict extends errorKind(409, "conflict") {}

/** 403: the team or organisation has reached its maximum of these objects. */
export class QuotaReached extends errorKind(403, "quota_reached") {}

/** 429: the caller exceeded a rate limit or a work budget. The same request may succeed later. */
export class TooManyRequests extends errorKind(429, "too_many_requests") {}

/** 413: the body exceeds the limit of the operation. */
export class BodyTooLarge extends errorKind(413, "body_too_large") {}

/** 400: the response exceeds Lambda's payload limit. */
export class AnswerTooLarge extends errorKind(400, "answer_too_large") {
  constructor() {
    super("The response exceeds 6 MB. Request less data, or accept gzip, which is about a tenth of the size.");
  }
}

/** 422: values have the wrong type or are out of range. `detail` lists their locations. */
export class ValidationFailed extends errorKind(422, "validation_failed") {
  constructor(locations: readonly ErrorLocation[]) {
    super(locations);
  }

  /** Creates the error for one invalid value. */
  static at(loc: readonly (string | number)[], msg: string, type = "value_error"): ValidationFailed {
    return new ValidationFailed([{ loc, msg, type }]);
  }
}

/**
 * 410: the user has no encryption key, or not the key that sealed the data. An erasure destroyed the key, a restore
 * lost it, or the user never existed. No request can read the data again.
 */
export class UserKeyGone extends errorKind(410, "data_unreadable") {}

/** 503: a part of the service did not respond. The same request may succeed later. */
export class Unavailable extends errorKind(503, "unavailable") {}

/** The deployment is misconfigured. The message names the setting without its value, and is logged. */
export class Misconfigured extends Error {
  override readonly name = "Misconfigured";
}

/** Thrown for a message that can never succeed. The consumer moves the message to the dead-letter queue at once. */
export class PermanentError extends Error {
  override readonly name = "PermanentError";
}
