import type { Grant } from "../contract/access.ts";
import { ReadCollector } from "../store/read-collector.ts";
import { commit, type WriteItem } from "../store/transaction.ts";
import { ownTables, type TableAccess } from "./aws/table-access.ts";
import { type AllDependencies, factories } from "./dependency-table.ts";
import { randomFraction } from "./ports.ts";

/** What a function with these grants receives: the dependencies that its grants name, and nothing else. */
export type GrantedDependencies<Access extends readonly Grant[]> = Pick<
  AllDependencies,
  (Access[number]["dependency"] & keyof typeof factories) | "commit" | "read"
>;

/**
 * Resolves the dependencies that grants name. Each is created once for an access to tables and lives as long.
 * @param tables by default the access of the function, which lives as long as the container.
 */
export async function resolveDependencies<const Access extends readonly Grant[]>(
  access: Access,
  tables: TableAccess = ownTables(),
): Promise<GrantedDependencies<Access>> {
  const granted = [...new Set(access.map((grant) => grant.dependency))];
  const names = granted.filter((name): name is keyof typeof factories => name in factories);
  const create = (name: keyof typeof factories) => tables.once<unknown>(name, () => factories[name](tables));
  const entries = await Promise.all(names.map(async (name) => [name, await create(name)] as const));
  const { documents } = tables;
  const run = (items: readonly WriteItem[]) => commit(documents(), items, randomFraction);
  const reads = new ReadCollector(documents);
  const read: AllDependencies["read"] = (items) => reads.read(items);
  return { ...Object.fromEntries(entries), commit: run, read } as GrantedDependencies<Access>;
}
