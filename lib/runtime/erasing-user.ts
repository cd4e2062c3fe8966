import type { TeamScope } from "../store/team-scope.ts";

const data = ["chunks", "summaries", "streams", "receipts", "exportJobs", "userInfos", "insurances"] as const;
const others = ["queryResults", "queryTasks", "requests", "deliveries", "deliveryLeases", "newestEvents"] as const;

interface Erasing {
  eraseUser(scope: TeamScope, userId: string): Promise<number>;
}

/** Erases a user from the stores that need nothing else for it. @returns how many items each of them had. */
export async function eraseFromStores(
  uses: Readonly<Record<(typeof data | typeof others)[number], Erasing>>,
  scope: TeamScope,
  userId: string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const store of [...data, ...others]) counts[store] = await uses[store].eraseUser(scope, userId);
  return counts;
}
