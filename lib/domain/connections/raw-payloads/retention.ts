/** The feature of a team that keeps raw payloads, and the name of the same flag of the calling team. */
export const RAW_PAYLOAD_FEATURE = "provider_raw_data";
/** Days for which payloads are kept: the bounds of the setting, and its default. */
export const RAW_PAYLOAD_DAYS = { min: 1, max: 90, default: 30 } as const;
/** Maximum number of payloads of a user that one UTC day keeps. */
export const MAX_PAYLOADS_PER_DAY = 2_000;
/** Maximum bytes of a kept body, so that a response in base64 can return it. */
export const MAX_PAYLOAD_BYTES = 4_000_000;
