import { Connections } from "./connections.tsx";
import { Timeline } from "./timeline.tsx";
import type { UserTabProps } from "./user-tab.ts";

/** Connections of a user, what came from each, and when. */
export function UserOverview({ user }: UserTabProps) {
  return (
    <>
      <Connections userId={user.user_id} />
      <Timeline userId={user.user_id} />
    </>
  );
}
