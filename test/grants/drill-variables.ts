/** Environment variables with the number of grants that the drill draws, and the seed. */
export const GRANT_COUNT_VARIABLE = "DRILL_GRANTS_COUNT";
export const GRANT_SEED_VARIABLE = "DRILL_GRANTS_SEED";
