/**
 * The ways that orders take: the four collection methods, and the kit that is sent before it is known whose sample it
 * will hold and registered when it is there.
 */
export const orderWays = [
  "walk_in_test",
  "at_home_phlebotomy",
  "on_site_collection",
  "testkit",
  "registrable_testkit",
] as const;
export type OrderWay = (typeof orderWays)[number];

/** `drawn`: an arrow of the published state diagrams. `inferred`: the status is published, how it is reached is ours. */
export type EdgeSource = "drawn" | "inferred";

/** A step that an order may make from one low-level status to another. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly source: EdgeSource;
}

/** The low-level statuses that follow one, those that are drawn and those that are inferred, with spaces between. */
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

/** What happens to a kit once it is on its way back, however it was ordered. */
const kitAtLab: readonly Row[] = [
  ["transit_lab", { drawn: "delivered_to_lab failure_to_deliver_to_lab", inferred: "problem_in_transit_lab lost" }],
  ["problem_in_transit_lab", { inferred: "transit_lab delivered_to_lab failure_to_deliver_to_lab lost" }],
  ["delivered_to_lab", { drawn: "completed sample_error", inferred: "lab_processing_blocked do_not_process" }],
  ["lab_processing_blocked", { inferred: "completed sample_error do_not_process" }],
  ...corrected,
];

/** How a kit gets to the customer. */
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
  // A kit that was imported may be anywhere on its way.
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
      // A customer may register a kit before its courier says that it was delivered.
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

/** Every step that an order of each way may make, by where it leads from. */
export const orderEdges: Readonly<Record<OrderWay, readonly Edge[]>> = {
  walk_in_test: rows.walk_in_test.flatMap(unfold),
  at_home_phlebotomy: rows.at_home_phlebotomy.flatMap(unfold),
  on_site_collection: rows.on_site_collection.flatMap(unfold),
  testkit: rows.testkit.flatMap(unfold),
  registrable_testkit: rows.registrable_testkit.flatMap(unfold),
};

/** The low-level statuses in which an order may begin: placed here, or placed elsewhere and imported. */
export const firstStatuses = { placed: "ordered", imported: "requisition_bypassed" } as const;

/** The collection method of a way. */
export const methodOf = (way: OrderWay): Exclude<OrderWay, "registrable_testkit"> =>
  way === "registrable_testkit" ? "testkit" : way;

/** The step from one low-level status to another, or undefined where there is none. */
export const edgeOf = (way: OrderWay, from: string, to: string): Edge | undefined =>
  orderEdges[way].find((edge) => edge.from === from && edge.to === to);

/** Whether an order in this low-level status can be cancelled. */
export const isCancellable = (way: OrderWay, level: string): boolean => edgeOf(way, level, "cancelled") !== undefined;

/** Statuses that a result may still be corrected in, but that nothing else follows. */
const RESULTED = ["completed", "corrected"];

/** Whether nothing further happens to an order in this low-level status, corrections of its result aside. */
export const isOver = (way: OrderWay, level: string): boolean =>
  RESULTED.includes(level) || !orderEdges[way].some(({ from }) => from === level);
