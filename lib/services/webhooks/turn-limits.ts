import { ports } from "../../runtime/ports.ts";

/**
 * Time after which a turn begins no further attempt. With the longest attempt and its record a turn stays within the 30
 * seconds of its function, and a slow receiver keeps its instance for this long and one attempt more.
 */
const MAX_TURN_MS = 5_000;
/** Maximum attempts of a turn. */
const MAX_TURN_ATTEMPTS = 50;

/** Whether a turn that began at `startedMs` (epoch ms) and made some attempts leaves the rest to another invocation. */
export const isTurnOver = (startedMs: number, attempts: number): boolean =>
  attempts >= MAX_TURN_ATTEMPTS || ports().clock.now() - startedMs >= MAX_TURN_MS;

/**
 * Validity of the state that the conditions of an attempt are checked against: team, user, endpoint and its health. The
 * deliveries of a turn share its read.
 */
export const STATE_VALID_MS = 1_000;
