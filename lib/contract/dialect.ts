/**
 * The spellings of other dialects of this interface, in one place. Our own names come first in every list;
 * the rest are what existing clients send.
 */

/** Headers that carry a team API key. */
export const teamKeyHeaders = ["x-service-api-key", "x-vital-api-key"] as const;
/** Headers that carry a link token. */
export const linkTokenHeaders = ["x-service-link-token", "x-vital-link-token"] as const;
/** Headers that carry a management key; all but the first are deprecated. */
export const managementKeyHeaders = ["x-management-key", "x-service-org-key", "x-vital-org-key"] as const;

/** Prefix of the id, timestamp and signature headers of a webhook; receivers use either family. */
export const webhookHeaderFamilies = ["webhook", "svix"] as const;
