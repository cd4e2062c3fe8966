import { checkEvent } from "../../events/check-event.ts";

/** No grant names this, so the bundler leaves it, with the schemas of all events, out of what is deployed. */
export const make = () => checkEvent;
