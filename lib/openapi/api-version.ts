/** The version of the API, as its documents state it. */
export const API_VERSION = "0.1.0";

/** The licence of the API, as its documents state it. */
export const LICENSE = { name: "Apache License 2.0" };
