import type { ErrorHelp } from "./error-help.ts";

/** The meaning of a code of errors, with the HTTP status that it always has. */
interface CodeHelp extends ErrorHelp {
  readonly status: number;
}

/**
 * Every `code` of an error response. A code without cause and remedy does not compile, because lib/runtime/errors.ts takes
 * its codes from here. docs/errors.md shows the table. No function imports it, so its words cost no bytes.
 */
export const errorTable = {
  malformed_body: {
    status: 400,
    cause:
      "The body is not JSON in UTF-8, is compressed, is nested too deep, or is not the form that the route expects.",
    remedy: "Send valid JSON without compression, or the media type that the reference names.",
  },
  not_possible: {
    status: 400,
    cause: "The request is well formed, but the current state does not allow it.",
    remedy: "Read the state that `detail` names, and change it first.",
  },
  undo_refused: {
    status: 400,
    cause: "There is no deletion to undo, its grace period is over, or another user has its `client_user_id`.",
    remedy: "Create a new user or team instead.",
  },
  client_user_id_taken: {
    status: 400,
    cause: "Another user has this `client_user_id`.",
    remedy: "Use the user that `user_id` in the body names, or another `client_user_id`.",
  },
  link_refused: {
    status: 400,
    cause: "An account could not be connected.",
    remedy: "Look up `error_type` below.",
  },
  report_refused: {
    status: 400,
    cause: "A lab report or a message of a laboratory is not readable.",
    remedy: "Correct the file or the message as `detail` says.",
  },
  answer_too_large: {
    status: 400,
    cause: "The response exceeds 6 MB.",
    remedy: "Request less data, or accept gzip.",
  },
  unauthorized: {
    status: 401,
    cause: "The credential is missing, malformed, unknown or revoked, or of another kind.",
    remedy: "Send a valid key in the header that the reference names for the route.",
  },
  forbidden: {
    status: 403,
    cause: "The credential lacks the permission, or the team lacks the feature.",
    remedy: "Use a key with the scope of the route, or enable the feature for the team.",
  },
  connection_ended: {
    status: 403,
    cause: "The provider on the phone was disconnected from the user after this session signed in.",
    remedy: "Stop sending. Sign the user in anew if they want to connect the phone again.",
  },
  quota_reached: {
    status: 403,
    cause: "The team or organisation has the maximum number of these objects.",
    remedy: "Delete objects that you no longer need.",
  },
  route_not_found: {
    status: 404,
    cause: "The service has no route with this method and path.",
    remedy: "Compare method and path with the reference in `/openapi.json`.",
  },
  method_not_allowed: {
    status: 405,
    cause: "The path is `/mcp`, and takes another method. Other paths answer `route_not_found`.",
    remedy: "Use the method that the header `allow` names.",
  },
  user_not_found: {
    status: 404,
    cause: "The team has no user with this id, or the user is deleted.",
    remedy: "Check the id, and whether the key belongs to the team of the user.",
  },
  not_found: {
    status: 404,
    cause: "The team has no object with this id.",
    remedy: "Check the id, and whether the key belongs to the team of the object.",
  },
  conflict: {
    status: 409,
    cause: "The request conflicts with an existing object or with another request at the same time.",
    remedy: "Read the current state, then send the request again if it still applies.",
  },
  data_unreadable: {
    status: 410,
    cause: "The encryption key of the user no longer exists, because the user was erased.",
    remedy: "Do not retry: no request can read this data again.",
  },
  body_too_large: {
    status: 413,
    cause: "The body exceeds the maximum of the route, in bytes or in records.",
    remedy: "Send smaller parts.",
  },
  validation_failed: {
    status: 422,
    cause: "Values are missing, have the wrong type or are out of range.",
    remedy: "`detail` lists each place as `loc`, and as `msg` what the service expects there.",
  },
  too_many_requests: {
    status: 429,
    cause: "The caller exceeds a rate limit or a work budget.",
    remedy: "Wait as long as `retry-after` says, then send the same request again.",
  },
  internal_error: {
    status: 500,
    cause: "The service failed to process the request.",
    remedy: "Send the request again later. If it fails again, report its `request_id`.",
  },
  unavailable: {
    status: 503,
    cause: "A part of the service did not respond in time.",
    remedy: "Send the same request again after some seconds.",
  },
} as const satisfies Readonly<Record<string, CodeHelp>>;

/**
 * Codes that only API Gateway answers, before any function runs. On AWS the body of such an error has nothing but a
 * `message`; the local service adds the fields of the other errors.
 */
export const gatewayErrorTable = {
  bad_request: {
    status: 400,
    cause:
      "The path is not valid, for example in its percent-encoding. API Gateway refuses the request itself: on AWS the body has only `message`.",
    remedy: "Encode each segment of the path as UTF-8 in percent-encoding.",
  },
} as const satisfies Readonly<Record<string, CodeHelp>>;

/** A stable code of errors. */
export type ErrorCode = keyof typeof errorTable;

/** The HTTP status of a code. */
export type StatusOf<Code extends ErrorCode> = (typeof errorTable)[Code]["status"];
