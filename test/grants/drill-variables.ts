/** The environment variables by which the drill of grants is told how many to draw, and by which seed. */
export const COUNT_VARIABLE = "DRILL_GRANTS_COUNT";
export const SEED_VARIABLE = "DRILL_GRANTS_SEED";
