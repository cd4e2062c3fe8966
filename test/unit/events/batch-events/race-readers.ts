import { readEvents } from "../../../../lib/services/events/event-page.ts";
import { listUsageDays } from "../../../../lib/services/usage/list-usage-days.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";
import type { PlannedTeam } from "./batch-plan.ts";
import type { BatchStage } from "./batch-stage.ts";
import type { FeedWitness } from "./feed-witness.ts";

/** Pages that a receiver reads in one race. */
const LOOKS = 5;
/** Days of the usage that a race reads. */
export const RACE_DAYS = { first: "2026-03-01", last: "2026-03-31" } as const;

/** Reads one page of the feed as the route does, with all users active. */
export function readPage(stage: BatchStage, { scope, users }: PlannedTeam, page: { after: number; limit: number }) {
  const deps = { ...stage.stores(), users: { getMany: async () => users } };
  return readEvents(deps as never, scope, page);
}

/** Reads the feed page by page as a receiver does. */
export async function readAsReceiver(
  stage: BatchStage,
  team: PlannedTeam,
  witness: FeedWitness,
  random: SeededRandom,
): Promise<void> {
  for (let after = 0, looks = LOOKS; looks > 0; looks--) {
    const page = { after, limit: 1 + random.integerBelow(6) };
    const listed = await stage.gate.invoke(() => readPage(stage, team, page)).catch(() => []);
    witness.see(team.scope, after, listed);
    after = listed.at(-1)?.sequence ?? after;
  }
}

/** Reads the usage. It counts what the feed has at some instant of the read. */
export async function readUsage(stage: BatchStage, { scope }: PlannedTeam, witness: FeedWitness): Promise<void> {
  for (let looks = 2; looks > 0; looks--) {
    const stores = stage.stores();
    const { last: atLeast } = await stores.eventFeed.getTail(scope.teamId);
    const days = await stage.gate.invoke(() => listUsageDays(stores, scope, RACE_DAYS)).catch(() => undefined);
    const { last: atMost } = await stores.eventFeed.getTail(scope.teamId);
    const counted = days?.reduce((sum, { events = 0 }) => sum + events, 0) ?? atLeast;
    if (counted < atLeast || counted > atMost)
      witness.break(`${counted} events are counted while the feed has ${atLeast} to ${atMost}`);
  }
}
