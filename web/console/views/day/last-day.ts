import { serviceNow } from "../../api/service-clock.ts";
import type { User } from "../../api/users.ts";
import { dateOf, knownZone } from "../../parts/time.ts";

/** Today at the place of the user. */
export const lastDay = ({ fallback_time_zone }: User) =>
  dateOf(serviceNow(), knownZone(fallback_time_zone?.id ?? "UTC"));
