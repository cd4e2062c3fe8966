import type { EntityResource } from "../../../lib/contract/resource-kinds.ts";
import * as resources from "../../../lib/contract/resources.ts";
import { continuousQueries, reportAliases } from "../../../lib/contract/resources.ts";
import { findProvider } from "../../../lib/domain/connections/providers/providers.ts";
import type { Item, Key } from "../../../lib/store/item.ts";

const declared: readonly unknown[] = Object.values(resources);
const isEntity = (one: unknown): one is EntityResource => (one as { kind?: string })?.kind === "entity";
/** Longest prefix first: the prefix of one entity may begin with that of another. */
const entities = declared.filter(isEntity).toSorted((a, b) => b.keyPrefix.length - a.keyPrefix.length);

/** Names the kind of an item: its entity, and what its sort key begins with. */
export function itemKindOf({ pk, sk }: Item & Key): string {
  const store = entities.find(({ keyPrefix }) => pk.startsWith(keyPrefix))?.store ?? "unknown";
  return `${store} ${sortKeyKind(store, sk)}`;
}

/** Entities whose sort keys begin with a word that a team or a laboratory chooses. */
const NAMED = new Set<string>([continuousQueries.store, reportAliases.store]);

/** `job#` for `job#7d…`, `settings` for a constant, `*` for a key that begins with data. */
function sortKeyKind(store: string, sk: string): string {
  const [word = "", end = ""] = /^[a-z][a-z_]*(#|$)/.exec(sk) ?? [];
  if (NAMED.has(store) || findProvider(word.replace("#", "")) !== undefined) return "*";
  return word === "" || (end === "" && word.length > 24) ? "*" : word;
}
