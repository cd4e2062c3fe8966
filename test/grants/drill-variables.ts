/** Environment variables with the number of grants that the drill draws, and the seed. */
export const COUNT_VARIABLE = "DRILL_GRANTS_COUNT";
export const SEED_VARIABLE = "DRILL_GRANTS_SEED";
