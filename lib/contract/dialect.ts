/**
 * The spellings of other dialects of this interface, in one place. Our own names come first in every list;
 * the rest are what existing clients send.
 */

/** Headers that carry a team API key. */
export const teamKeyHeaders = ["x-service-api-key", "x-vital-api-key"] as const;
/** Header that carries an access token of a team, as `Bearer <token>`. */
export const accessTokenHeader = "authorization";
/** Headers that carry a link token. */
export const linkTokenHeaders = ["x-service-link-token", "x-vital-link-token"] as const;
/** Headers that carry a management key; all but the first are deprecated. */
export const managementKeyHeaders = ["x-management-key", "x-service-org-key", "x-vital-org-key"] as const;

/** Header that carries the key of a laboratory. */
export const labKeyHeader = "x-lab-key";

/** Header that carries the secret of a link to the webhook portal. */
export const portalSessionHeader = "x-portal-session";

/** Header that carries the secret of a link to the review of a lab report. */
export const reviewLinkHeader = "x-review-link";

/** Media types under which the tables of a batch of queries are asked for as one gzipped tar file of Parquet files. */
export const parquetArchiveTypes = [
  "application/x.tar+gzip+parquet",
  "application/vnd.vital.tar+gzip+parquet",
] as const;

/** Prefix of the id, timestamp and signature headers of a webhook; receivers use either family. */
export const webhookHeaderFamilies = ["webhook", "svix"] as const;

/** What a patient service center can do whose appointments are made by way of this service. */
export const scheduledViaService = [
  "appointment_scheduling_via_service",
  "appointment_scheduling_via_junction",
] as const;
/** The field of area info that tells whether a laboratory has such a center near. */
export const scheduledViaServiceField = "appointment_with_vital";
