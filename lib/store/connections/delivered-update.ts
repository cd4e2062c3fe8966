import type { DeliveredBatch, DeliveredData } from "../../domain/connections/pulls/delivered-data.ts";
import type { ItemUpdate } from "../table.ts";

/** The relation of a bound that a batch does not move. */
const opposite = { ">=": "<=", "<=": ">=" } as const;

type Statistics = DeliveredData["resources"][string];
/** What the item has of a resource: statistics that were read, or data that the batch continues. */
type Known = Statistics | "continued" | undefined;

/**
 * Builds the update that adds a batch to an item. Its conditions are only what it relies on: which bounds the batch
 * moves. Bounds move in one direction, so concurrent batches hardly ever make it fail, and never for long.
 * @param known the item as it was read, or `continued`: the item has every resource, and the batch is not older.
 */
export function deliveredUpdate(known: DeliveredData | "continued", batch: DeliveredBatch): ItemUpdate {
  const parts = Object.entries(batch.resources).map(([name, added], place) =>
    addResource(place, name, known === "continued" ? known : known.resources[name], added),
  );
  return {
    UpdateExpression: `SET ${["#version = #version + :one", ...parts.flatMap(({ set }) => set)].join(", ")} ADD #bytes :bytes, #batches :batches`,
    ConditionExpression: [
      "attribute_exists(pk)",
      "NOT contains(#batches, :batch)",
      ...parts.flatMap(({ conditions }) => conditions),
    ].join(" AND "),
    ExpressionAttributeNames: {
      ...{ "#version": "version", "#bytes": "bytes", "#batches": "batches" },
      ...(parts.length > 0 ? { "#resources": "resources" } : {}),
      ...Object.assign({}, ...parts.map(({ names }) => names)),
    },
    ExpressionAttributeValues: {
      ...{ ":one": 1, ":bytes": batch.bytes, ":batch": batch.batchId, ":batches": new Set([batch.batchId]) },
      ...Object.assign({}, ...parts.map(({ values }) => values)),
    },
  };
}

function addResource(place: number, name: string, known: Known, added: Statistics) {
  const path = `#resources.#r${place}`;
  const names = { [`#r${place}`]: name };
  if (known === undefined) {
    const values = { [`:r${place}`]: added };
    return { names, values, set: [`${path} = :r${place}`], conditions: [`attribute_not_exists(${path})`] };
  }
  const bounds = [
    {
      bound: "oldest",
      value: added.oldest,
      isMoved: known !== "continued" && added.oldest < known.oldest,
      moved: ">=",
    },
    {
      bound: "newest",
      value: added.newest,
      isMoved: known === "continued" || added.newest > known.newest,
      moved: "<=",
    },
  ];
  const pushed = movePushed(place, path, known, added);
  return {
    names: { ...names, "#sent": "sent_count" },
    values: {
      [`:c${place}`]: added.sent_count,
      ...Object.fromEntries(bounds.map(({ bound, value }) => [`:${bound}${place}`, value])),
      ...pushed.values,
    },
    set: [
      `${path}.#sent = ${path}.#sent + :c${place}`,
      ...bounds.flatMap(({ bound, isMoved }) => (isMoved ? [`${path}.${bound} = :${bound}${place}`] : [])),
      ...pushed.set,
    ],
    conditions: bounds.map(({ bound, isMoved, moved }) => {
      const relation = isMoved ? moved : opposite[moved as "<=" | ">="];
      return `${path}.${bound} ${relation} :${bound}${place}`;
    }),
  };
}

/** Moves the time of the newest pushed record. A batch that continues the data has the newest record of all. */
function movePushed(place: number, path: string, known: Statistics | "continued", { pushed_newest }: Statistics) {
  const isMoved = pushed_newest !== undefined && (known === "continued" || pushed_newest > (known.pushed_newest ?? ""));
  return isMoved
    ? { values: { [`:pushed${place}`]: pushed_newest }, set: [`${path}.pushed_newest = :pushed${place}`] }
    : { values: {}, set: [] };
}
