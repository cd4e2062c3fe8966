import { updateItem } from "../../contract/access.ts";
import { usage } from "../../contract/resources.ts";
import type { Team } from "../../domain/management/records.ts";
import { oncePerContainer } from "../container.ts";
import { resolveDependencies } from "../dependencies.ts";
import { defaultLimits } from "../deployment.ts";
import { TooManyRequests } from "../errors.ts";
import type { Log } from "../log.ts";
import { ports } from "../ports.ts";
import { RequestLeases } from "./request-leases.ts";

/** The request leases of this container. */
const containerLeases = oncePerContainer(async () => {
  const deps = await resolveDependencies([updateItem(usage)]);
  return new RequestLeases(deps.usage, () => ports().clock.now());
});

/**
 * Admits and counts a request of a team. Fails open: if no lease can be taken, every request is admitted, because a
 * limit protects other teams and must not cause an outage.
 * @throws TooManyRequests if the team has reached its limit for this second.
 */
export async function admitRequest(team: Team, log: Log): Promise<void> {
  const limit = team.limits?.requests_per_second ?? defaultLimits().requests_per_second;
  if (limit === undefined || limit === null) return;
  const leased = await containerLeases();
  const isAdmitted = await leased.tryAcquire(team.team_id, limit).catch((error) => {
    log.error("the request limit could not be applied", error);
    leased.countUnleased(team.team_id);
    return true;
  });
  if (!isAdmitted) throw rateLimitExceeded(limit, ports().clock.now());
}

function rateLimitExceeded(limit: number, nowMs: number): TooManyRequests {
  const headers = {
    "retry-after": "1",
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.floor(nowMs / 1000) + 1),
  };
  return new TooManyRequests(`The team exceeded its limit of ${limit} requests per second.`, { headers });
}
