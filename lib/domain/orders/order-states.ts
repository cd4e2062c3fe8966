/**
 * Workflows of orders: the four collection methods, and the registrable test kit, which ships before its patient is
 * known and is registered after delivery.
 */
export const orderWays = [
  "walk_in_test",
  "at_home_phlebotomy",
  "on_site_collection",
  "testkit",
  "registrable_testkit",
] as const;
export type OrderWay = (typeof orderWays)[number];

/** `drawn`: an arrow of the published state diagrams. `inferred`: the status is published, the transition is not. */
export type EdgeSource = "drawn" | "inferred";

/** Allowed transition between two low-level statuses. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly source: EdgeSource;
}

/** Low-level statuses that may follow `from`, drawn and inferred, each a space-separated list. */
type Row = readonly [from: string, next: { readonly drawn?: string; readonly inferred?: string }];

const ordered: Row = ["ordered", { drawn: "requisition_created cancelled", inferred: "requisition_bypassed" }];
const corrected: readonly Row[] = [
  ["completed", { inferred: "corrected" }],
  ["corrected", { inferred: "corrected" }],
];

const walkIn: readonly Row[] = [
  ordered,
  [
    "requisition_created",
    { drawn: "appointment_pending partial_results cancelled", inferred: "completed sample_error" },
  ],
  ["requisition_bypassed", { inferred: "appointment_pending partial_results completed sample_error cancelled" }],
  [
    "appointment_pending",
    { drawn: "appointment_scheduled", inferred: "appointment_cancelled partial_results completed cancelled" },
  ],
  [
    "appointment_scheduled",
    {
      drawn: "appointment_pending appointment_cancelled partial_results completed",
      inferred: "appointment_scheduled sample_error cancelled",
    },
  ],
  ["appointment_cancelled", { drawn: "appointment_pending cancelled", inferred: "partial_results completed" }],
  ["partial_results", { drawn: "completed", inferred: "partial_results redraw_available sample_error" }],
  ...corrected,
];

const phlebotomy: readonly Row[] = [
  ordered,
  ["requisition_created", { drawn: "appointment_pending cancelled" }],
  ["requisition_bypassed", { inferred: "appointment_pending draw_completed cancelled" }],
  ["appointment_pending", { drawn: "appointment_scheduled appointment_cancelled cancelled" }],
  [
    "appointment_scheduled",
    { drawn: "appointment_scheduled draw_completed appointment_cancelled", inferred: "cancelled" },
  ],
  ["appointment_cancelled", { drawn: "appointment_pending appointment_scheduled cancelled" }],
  ["draw_completed", { drawn: "partial_results completed", inferred: "sample_error cancelled" }],
  ["partial_results", { drawn: "completed", inferred: "partial_results sample_error" }],
  ...corrected,
];

const onSite: readonly Row[] = [
  ordered,
  ["requisition_created", { inferred: "draw_completed cancelled" }],
  ["requisition_bypassed", { inferred: "draw_completed cancelled" }],
  ["draw_completed", { inferred: "partial_results completed sample_error cancelled" }],
  ["partial_results", { inferred: "partial_results completed sample_error" }],
  ...corrected,
];

/** Transitions of a test kit in transit to the laboratory, for both kit workflows. */
const kitAtLab: readonly Row[] = [
  ["transit_lab", { drawn: "delivered_to_lab failure_to_deliver_to_lab", inferred: "problem_in_transit_lab lost" }],
  ["problem_in_transit_lab", { inferred: "transit_lab delivered_to_lab failure_to_deliver_to_lab lost" }],
  ["delivered_to_lab", { drawn: "completed sample_error", inferred: "lab_processing_blocked do_not_process" }],
  ["lab_processing_blocked", { inferred: "completed sample_error do_not_process" }],
  ...corrected,
];

/** Transitions of a test kit in transit to the customer. */
const kitOutbound: readonly Row[] = [
  [
    "transit_customer",
    { drawn: "out_for_delivery failure_to_deliver_to_customer", inferred: "problem_in_transit_customer" },
  ],
  ["problem_in_transit_customer", { inferred: "transit_customer out_for_delivery failure_to_deliver_to_customer" }],
  ["out_for_delivery", { drawn: "with_customer failure_to_deliver_to_customer" }],
];

const kit: readonly Row[] = [
  ordered,
  ["requisition_created", { drawn: "transit_customer cancelled" }],
  // An imported kit may be at any point of its shipment.
  ["requisition_bypassed", { drawn: "transit_customer cancelled", inferred: "transit_lab delivered_to_lab" }],
  ...kitOutbound,
  ["with_customer", { drawn: "transit_lab", inferred: "lost" }],
  ...kitAtLab,
];

const registrableKit: readonly Row[] = [
  ["ordered", { drawn: "awaiting_registration cancelled" }],
  ["awaiting_registration", { drawn: "transit_customer cancelled", inferred: "registered" }],
  ...kitOutbound.map(
    ([from, { drawn = "", inferred = "" }]): Row => [
      from,
      // A customer may register a kit before the courier reports the delivery.
      { drawn, inferred: `${inferred} registered` },
    ],
  ),
  ["with_customer", { drawn: "registered", inferred: "lost" }],
  ["registered", { drawn: "requisition_created", inferred: "cancelled" }],
  ["requisition_created", { drawn: "transit_lab", inferred: "cancelled" }],
  ...kitAtLab,
];

const rows: Readonly<Record<OrderWay, readonly Row[]>> = {
  walk_in_test: walkIn,
  at_home_phlebotomy: phlebotomy,
  on_site_collection: onSite,
  testkit: kit,
  registrable_testkit: registrableKit,
};

const words = (text: string) => text.split(" ").filter((word) => word !== "");

function unfold([from, { drawn = "", inferred = "" }]: Row): Edge[] {
  return [
    ...words(drawn).map((to): Edge => ({ from, to, source: "drawn" })),
    ...words(inferred).map((to): Edge => ({ from, to, source: "inferred" })),
  ];
}

/** Allowed transitions by workflow, in order of `from`. */
export const orderEdges: Readonly<Record<OrderWay, readonly Edge[]>> = {
  walk_in_test: rows.walk_in_test.flatMap(unfold),
  at_home_phlebotomy: rows.at_home_phlebotomy.flatMap(unfold),
  on_site_collection: rows.on_site_collection.flatMap(unfold),
  testkit: rows.testkit.flatMap(unfold),
  registrable_testkit: rows.registrable_testkit.flatMap(unfold),
};

/** Initial low-level statuses: of an order placed here, and of an imported order. */
export const firstStatuses = { placed: "ordered", imported: "requisition_bypassed" } as const;

/** Collection method of a workflow. */
export const methodOf = (way: OrderWay): Exclude<OrderWay, "registrable_testkit"> =>
  way === "registrable_testkit" ? "testkit" : way;

/** Finds the transition between two low-level statuses; undefined if the table has none. */
export const edgeOf = (way: OrderWay, from: string, to: string): Edge | undefined =>
  orderEdges[way].find((edge) => edge.from === from && edge.to === to);

/** Whether an order can be cancelled from this low-level status. */
export const isCancellable = (way: OrderWay, level: string): boolean => edgeOf(way, level, "cancelled") !== undefined;

/** Statuses that only a correction of the result can follow. */
const RESULTED = ["completed", "corrected"];

/** Whether this low-level status finishes an order; a correction of its result may still follow. */
export const isOver = (way: OrderWay, level: string): boolean =>
  RESULTED.includes(level) || !orderEdges[way].some(({ from }) => from === level);
