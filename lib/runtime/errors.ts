import type { LinkErrorType } from "../domain/linking/link-errors.ts";

/** Where in the request a value was refused, and why; the value itself is never repeated (it may be personal data). */
export interface ErrorLocation {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What an error answers with besides its code: a sentence, a list of locations, or an object. */
export type ErrorDetail = string | readonly ErrorLocation[] | Readonly<Record<string, unknown>>;

/**
 * An answer that refuses a request. One small class per meaning; `status` and `code` are the class's own and stable.
 * Permanent refusals are never 5xx or 429, because clients retry those.
 */
export class ApiError extends Error {
  static readonly status: number = 500;
  static readonly code: string = "internal_error";
  readonly detail: ErrorDetail;
  /** Further keys at the top of the body. */
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

  get kind(): { readonly status: number; readonly code: string } {
    const { status, code } = this.constructor as typeof ApiError;
    return { status, code };
  }
}

/** 400: the body is not JSON. */
export class MalformedBody extends ApiError {
  static override readonly status = 400;
  static override readonly code = "malformed_body";
}

/** 401: no credential, or one that is malformed, unknown, revoked or of the wrong kind. */
export class Unauthorized extends ApiError {
  static override readonly status = 401;
  static override readonly code = "unauthorized";
}

/** 403: a valid credential without the right, or a feature that is off for the team. */
export class Forbidden extends ApiError {
  static override readonly status = 403;
  static override readonly code = "forbidden";
}

/** 404: no such route. */
export class RouteNotFound extends ApiError {
  static override readonly status = 404;
  static override readonly code = "route_not_found";
}

/** 404: no such user in this team; also while its deletion is pending. */
export class UserNotFound extends ApiError {
  static override readonly status = 404;
  static override readonly code = "user_not_found";
  constructor() {
    super("User not found.");
  }
}

/** 404: no such object of the named kind in this team. */
export class NotFound extends ApiError {
  static override readonly status = 404;
  static override readonly code = "not_found";
}

/** 400: the `client_user_id` belongs to another user, named at the top of the body and in `detail` (spec, Errors 1). */
export class ClientUserIdTaken extends ApiError {
  static override readonly status = 400;
  static override readonly code = "client_user_id_taken";
  constructor(holder: { user_id: string; created_on: string }) {
    const error = { error_type: "INVALID_REQUEST", error_message: "client_user_id already exists." };
    super({ ...error, ...holder }, { extra: holder });
  }

  /** The error for the reservation that stood in the way. */
  static by(reservation: Readonly<Record<string, unknown>> | undefined): ClientUserIdTaken {
    return new ClientUserIdTaken({
      user_id: String(reservation?.user_id ?? ""),
      created_on: String(reservation?.created_on ?? ""),
    });
  }
}

/** 400: this deletion can not be undone (spec, States). */
export class UndoRefused extends ApiError {
  static override readonly status = 400;
  static override readonly code = "undo_refused";
}

/** 400: the request is well formed, but not possible in the present state. */
export class NotPossible extends ApiError {
  static override readonly status = 400;
  static override readonly code = "not_possible";
}

/** 400: the files are no lab report that can be read; why is in the sentence. */
export class ReportRefused extends ApiError {
  static override readonly status = 400;
  static override readonly code = "report_refused";
}

/** 400: a link did not come about, for the reason of the named type (wire reference, 4). */
export class LinkRefused extends ApiError {
  static override readonly status = 400;
  static override readonly code = "link_refused";
  constructor(error_type: LinkErrorType | "INVALID_PROVIDER", error: string, options?: ErrorOptions) {
    super({ error_type, error }, options);
  }
}

/** 409: an object with this identity exists. */
export class Conflict extends ApiError {
  static override readonly status = 409;
  static override readonly code = "conflict";
}

/** 403: there may be no more of these in this team or organisation. */
export class QuotaReached extends ApiError {
  static override readonly status = 403;
  static override readonly code = "quota_reached";
}

/** 429: the team asks more in a second than it may; the same request may succeed in the next one. */
export class TooManyRequests extends ApiError {
  static override readonly status = 429;
  static override readonly code = "too_many_requests";
}

/** 413: the body is over the limit of the operation. */
export class BodyTooLarge extends ApiError {
  static override readonly status = 413;
  static override readonly code = "body_too_large";
}

/** 400: the answer is longer than the service can carry. */
export class AnswerTooLarge extends ApiError {
  static override readonly status = 400;
  static override readonly code = "answer_too_large";
  constructor() {
    super("The answer has more than 6 MB. Ask for less at a time, or accept gzip, in which it is a tenth as long.");
  }
}

/** 422: values of the wrong type or out of bounds, listed by location. */
export class ValidationFailed extends ApiError {
  static override readonly status = 422;
  static override readonly code = "validation_failed";
  constructor(locations: readonly ErrorLocation[]) {
    super(locations);
  }

  /** One refused value. */
  static at(loc: readonly (string | number)[], msg: string, type = "value_error"): ValidationFailed {
    return new ValidationFailed([{ loc, msg, type }]);
  }
}

/**
 * 410: the user has no key, or another one than the data was sealed with. The key was destroyed, as by an erasure or by a
 * restore without it, or there never was such a user; no request can read the data again.
 */
export class UserKeyGone extends ApiError {
  static override readonly status = 410;
  static override readonly code = "data_unreadable";
}

/** 503: a part of the service did not answer; the same request may succeed later. */
export class Unavailable extends ApiError {
  static override readonly status = 503;
  static override readonly code = "unavailable";
}

/** What whoever deploys has set up is not as it has to be; the message says what, without any value, and is logged. */
export class Misconfigured extends Error {
  override readonly name = "Misconfigured";
}

/** Thrown by a consumer for a message that can never succeed: it goes to the dead-letter queue at once. */
export class PermanentError extends Error {
  override readonly name = "PermanentError";
}
