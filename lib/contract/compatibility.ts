/**
 * Names that compatible clients use for the same headers, media types and values, in one file. Our own names come first
 * in every list; the others are what existing clients send.
 */

/** Headers for a team API key. */
export const teamKeyHeaders = ["x-service-api-key", "x-vital-api-key"] as const;
/** Header for an access token of a team, as `Bearer <token>`. */
export const accessTokenHeader = "authorization";
/** Headers for a link token. */
export const linkTokenHeaders = ["x-service-link-token", "x-vital-link-token"] as const;
/** Headers for a management key. All but the first are deprecated. */
export const managementKeyHeaders = ["x-management-key", "x-service-org-key", "x-vital-org-key"] as const;

/** Header for the API key of a laboratory. */
export const labKeyHeader = "x-lab-key";

/** Header for the secret of a webhook portal link. */
export const portalSessionHeader = "x-portal-session";

/**
 * Header that a request with the cookie of a console session carries. A page of another origin cannot send it, because
 * the service allows it to no origin (Fetch standard, CORS protocol).
 */
export const consoleRequestHeader = "x-console-request";

/**
 * Header in which a page of the console names the session that it shows. All pages of a browser have one cookie. After a
 * sign-in in another tab it is of another session, perhaps of another team.
 */
export const consoleSessionHeader = "x-console-session";

/** Header in which the console says why its person looks at a user. */
export const consoleReasonHeader = "x-console-reason";

/** Header for the secret of a lab report review link. */
export const reviewLinkHeader = "x-review-link";

/** Media types with which a client requests the tables of a query batch as one gzipped tar file of Parquet files. */
export const parquetArchiveTypes = [
  "application/x.tar+gzip+parquet",
  "application/vnd.vital.tar+gzip+parquet",
] as const;

/** Prefixes of the id, timestamp and signature headers of a webhook. Receivers read either family. */
export const webhookHeaderFamilies = ["webhook", "svix"] as const;

/** Capabilities of a patient service center whose appointments this service books. */
export const scheduledViaService = [
  "appointment_scheduling_via_service",
  "appointment_scheduling_via_junction",
] as const;
/** Field of area info: whether the laboratory has a bookable center in the area. */
export const scheduledViaServiceField = "appointment_with_vital";
