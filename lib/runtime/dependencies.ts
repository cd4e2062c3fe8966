import type { Grant } from "../contract/access.ts";
import { ReadCollector } from "../store/read-collector.ts";
import { commit, type WriteItem } from "../store/transaction.ts";
import { documentClient } from "./aws/aws.ts";
import { oncePerContainer } from "./container.ts";
import { type AllDependencies, factories } from "./dependency-table.ts";
import { randomFraction } from "./ports.ts";

/** What a function with these grants receives: the dependencies that its grants name, and nothing else. */
export type GrantedDependencies<Access extends readonly Grant[]> = Pick<
  AllDependencies,
  (Access[number]["dependency"] & keyof typeof factories) | "commit" | "read"
>;

const instances = oncePerContainer(() => new Map<string, Promise<unknown>>());

function createOnce(name: keyof typeof factories): Promise<unknown> {
  const known = instances().get(name) ?? factories[name]();
  instances().set(name, known);
  return known;
}

/** Resolves the dependencies that grants name. Each is created once and lives as long as the container. */
export async function resolveDependencies<const Access extends readonly Grant[]>(
  access: Access,
): Promise<GrantedDependencies<Access>> {
  const granted = [...new Set(access.map((grant) => grant.dependency))];
  const names = granted.filter((name): name is keyof typeof factories => name in factories);
  const entries = await Promise.all(names.map(async (name) => [name, await createOnce(name)] as const));
  const run = (items: readonly WriteItem[]) => commit(documentClient(), items, randomFraction);
  const reads = new ReadCollector(documentClient);
  const read: AllDependencies["read"] = (items) => reads.read(items);
  return { ...Object.fromEntries(entries), commit: run, read } as GrantedDependencies<Access>;
}
