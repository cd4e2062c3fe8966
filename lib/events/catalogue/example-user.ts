/** The user id in examples. No user has it. */
export const EXAMPLE_USER_ID = "00000000-0000-4000-8000-000000000000";

/** The text in examples. */
export const EXAMPLE_WORD = "example";
