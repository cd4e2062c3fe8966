import type { AggregationQuery } from "../aggregation-query.ts";
import { expressionName } from "../expressions/expression-names.ts";
import type { GroupItem } from "../expressions/expressions.ts";
import type { MergeMode } from "../merge-mode.ts";

/** Which rows compete: all that overlap in time, or only those of one source. */
export interface Rivalry {
  /** How competing sources are resolved; `none` when sources are not merged. */
  readonly rule: "none" | MergeMode;
  /** Which rows are merged by interval; undefined for none. */
  readonly merged: "all" | "recorders" | undefined;
  /** Group keys that rivals share. */
  readonly apart: readonly string[];
}

/** The parts of a query that decide which rows compete. */
export type MergedQuery = Pick<AggregationQuery, "group_by"> & { readonly merge?: MergeMode | null | undefined };

const identityColumns = ["source_provider", "source_type", "source_device_id", "source_app_id"];

/** Resolves which rows of a query compete. @param hasRecorders whether a source has several devices or apps. */
export function resolveRivalry({ merge, group_by }: MergedQuery, hasRecorders: boolean): Rivalry {
  const apart = (group_by ?? []).map(groupKeyName).filter((name) => identityColumns.includes(name));
  const groupsBy = (...names: string[]) => names.every((name) => apart.includes(name));
  const areSourcesApart = groupsBy("source_provider", "source_type");
  const mergesRecorders = hasRecorders && !groupsBy("source_device_id", "source_app_id");
  if (merge === "interval" && !areSourcesApart) return { rule: "interval", merged: "all", apart };
  // Plain rows, and aggregates over all of them, keep every source.
  if (!group_by?.length && merge !== "interval") return { rule: "none", merged: undefined, apart };
  const merged = mergesRecorders ? "recorders" : undefined;
  if (!areSourcesApart) return { rule: "strict", merged, apart };
  return { rule: merged ? "interval" : "none", merged, apart };
}

/** Whether a query may merge rows by interval. Until its rows are read, a source may have several devices. */
export const mayMergeByInterval = (query: MergedQuery): boolean => resolveRivalry(query, true).merged !== undefined;

const groupKeyName = (item: GroupItem) => ("date_trunc" in item || "date_part" in item ? "" : expressionName(item));
