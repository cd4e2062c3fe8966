import * as z from "zod";
import { openEnum, typedString } from "../../contract/open-enum.ts";
import { queryBoolean } from "../../contract/shared-schemas.ts";
import { type CollectionMethod, collectionMethods } from "../lab-tests/wire-lab-test.ts";
import type { Interpretation } from "../results/interpretation.ts";
import { parseInUtc } from "../shared/instant.ts";
import { type LowLevelStatus, lowLevelStatuses } from "./lifecycle/order-status.ts";
import { lowLevelStatus, type Order } from "./lifecycle/order-transitions.ts";
import { interpretations } from "./wire-order.ts";

const text = z.string().nullable();

/** Fields that order lists filter and sort by, stored with each order in the index by team. */
export const orderListing = z.object({
  order_id: z.string(),
  user_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  method: typedString<CollectionMethod>(),
  level: typedString<LowLevelStatus>(),
  level_at: z.string(),
  interpretation: typedString<Interpretation>().nullable(),
  patient_name: text,
  patient_dob: text,
  receiver_name: text,
  sample_id: text,
  transaction_id: text,
  activation: z.enum(["current", "scheduled"]),
});
export type OrderListing = z.output<typeof orderListing>;

/** Projects an order to its listing. `activation` is `scheduled` for an order that has, or had, a dispatch date. */
export function toOrderListing(order: Order): OrderListing {
  const patient = order.patient_details;
  return {
    order_id: order.id,
    user_id: order.user_id,
    created_at: order.created_at,
    updated_at: order.updated_at,
    method: order.details.type,
    level: lowLevelStatus(order),
    level_at: order.last_event.created_at,
    interpretation: order.interpretation,
    patient_name: patient ? `${patient.first_name ?? ""} ${patient.last_name ?? ""}`.trim() : null,
    patient_dob: patient?.dob.slice(0, 10) ?? null,
    receiver_name: order.shipping_details?.receiver_name ?? null,
    sample_id: order.sample_id,
    transaction_id: order.order_transaction?.id ?? null,
    activation: order.activate_by === null ? "current" : "scheduled",
  };
}

/** Time bound of a query, in UTC unless it has an offset; a date stands for the given time of that day. */
const bound = (time: string) =>
  z
    .union([z.iso.date().transform((date) => `${date}T${time}Z`), z.iso.datetime({ offset: true, local: true })])
    .transform((time) => new Date(parseInUtc(time)).toISOString())
    .nullish();
const first = bound("00:00:00.000");
const last = bound("23:59:59.999");
const part = z.string().trim().max(200).nullish();

/** Filter of an order list; an order must match every given field. */
export const orderFilter = z.object({
  search_input: part.describe(
    "Part of the patient's or recipient's name, the date of birth, or a complete order or user id",
  ),
  start_date: first.describe("First instant of creation, in UTC without an offset. A date counts from its start"),
  end_date: last.describe("Last instant of creation, in UTC without an offset. A date counts to its end"),
  updated_start_date: first.describe("First instant of the last change"),
  updated_end_date: last.describe("Last instant of the last change"),
  status: z.array(openEnum(lowLevelStatuses)).nullish().describe("Low-level statuses"),
  order_key: z
    .enum(["created_at", "patient_name", "last_status"])
    .default("created_at")
    .describe("Sort key; last_status sorts by the time of the last status"),
  order_direction: z.enum(["asc", "desc"]).default("desc"),
  order_type: z.array(openEnum(collectionMethods)).nullish().describe("Collection methods"),
  is_critical: queryBoolean.nullish().describe("Whether the interpretation is critical"),
  interpretation: openEnum(interpretations).nullish(),
  order_activation_types: z
    .array(openEnum(["current", "scheduled"]))
    .nullish()
    .describe("scheduled: orders with an activate_by, also in the past; current: all others"),
  user_id: z.guid().toLowerCase().nullish(),
  patient_name: part.describe("Part of the name, in any case"),
  shipping_recipient_name: part.describe("Part of the recipient's name, in any case"),
  order_ids: z.array(z.guid().toLowerCase()).max(500).nullish(),
  order_transaction_id: z.guid().toLowerCase().nullish(),
});
export type OrderFilter = z.output<typeof orderFilter>;

type Rule = (filter: OrderFilter, order: OrderListing) => boolean;

const isIn = (list: readonly string[] | null | undefined, value: string) => !list?.length || list.includes(value);
const isSame = (wanted: string | null | undefined, value: string | null) => !wanted || wanted === value;
const contains = (value: string | null, wanted: string | null | undefined) =>
  !wanted || (value ?? "").toLowerCase().includes(wanted.toLowerCase());
const isWithin = (value: string, from: string | null | undefined, to: string | null | undefined) =>
  (!from || value >= from) && (!to || value <= to);

const rules: readonly Rule[] = [
  ({ start_date, end_date }, { created_at }) => isWithin(created_at, start_date, end_date),
  (filter, { updated_at }) => isWithin(updated_at, filter.updated_start_date, filter.updated_end_date),
  ({ status }, { level }) => isIn(status, level),
  ({ order_type }, { method }) => isIn(order_type, method),
  ({ is_critical }, { interpretation }) => is_critical == null || is_critical === (interpretation === "critical"),
  ({ interpretation }, order) => isSame(interpretation, order.interpretation),
  ({ order_activation_types }, { activation }) => isIn(order_activation_types, activation),
  ({ user_id }, order) => isSame(user_id, order.user_id),
  ({ patient_name }, order) => contains(order.patient_name, patient_name),
  ({ shipping_recipient_name }, { receiver_name }) => contains(receiver_name, shipping_recipient_name),
  ({ order_ids }, { order_id }) => isIn(order_ids, order_id),
  ({ order_transaction_id }, { transaction_id }) => isSame(order_transaction_id, transaction_id),
  ({ search_input }, order) => isFound(order, search_input ?? ""),
];

function isFound(order: OrderListing, wanted: string): boolean {
  const ids = [order.order_id, order.user_id, order.patient_dob];
  return (
    ids.includes(wanted.toLowerCase()) || contains(order.patient_name, wanted) || contains(order.receiver_name, wanted)
  );
}

const sortKeys = {
  created_at: ({ created_at }: OrderListing) => created_at,
  patient_name: ({ patient_name }: OrderListing) => (patient_name ?? "").toLowerCase(),
  last_status: ({ level_at }: OrderListing) => level_at,
};

/** Filters and sorts orders. Equal sort keys are ordered by id. */
export function selectOrders(listed: readonly OrderListing[], filter: OrderFilter): OrderListing[] {
  const direction = filter.order_direction === "asc" ? 1 : -1;
  const keyOf = (order: OrderListing) => `${sortKeys[filter.order_key](order)}\n${order.order_id}`;
  return listed
    .filter((order) => rules.every((rule) => rule(filter, order)))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -direction : direction));
}
