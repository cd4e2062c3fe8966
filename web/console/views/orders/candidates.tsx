import type { Candidate, MatchReview } from "../../api/reviews.ts";
import { ConfirmButton } from "../../forms/confirm-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

interface Row extends Candidate {
  readonly userId: string | null;
}

interface CandidatesProps {
  readonly review: MatchReview;
  /** Gives the result to an order. */
  readonly accept: (orderId: string) => Promise<void>;
}

const TONES = { high: "good", medium: "warn" } as const;

const columns: readonly Column<Row>[] = [
  { name: "Order", cell: ({ order_id }) => <OrderLink orderId={order_id} /> },
  {
    name: "User",
    isWide: true,
    cell: ({ userId }) =>
      userId ? (
        <Link to={`/users/${userId}`}>
          <span class="unbroken">the user</span>
        </Link>
      ) : (
        "–"
      ),
  },
  { name: "Step", isWide: true, cell: ({ last_status }) => humanize(last_status?.split(".").at(-1) ?? "–") },
  {
    name: "Likely",
    cell: ({ confidence_level: level, confidence_score: score }) => (
      <>
        <Badge state={level} tone={TONES[level as keyof typeof TONES] ?? "plain"} />{" "}
        {score === null ? "" : `${Math.round(score * 100)}\u00a0%`}
      </>
    ),
  },
  { name: "Why", isWide: true, cell: ({ reasons }) => reasons.map((reason) => humanize(reason)).join(", ") },
];

function OrderLink({ orderId }: { readonly orderId: string | null }) {
  if (!orderId) return <>–</>;
  return (
    <Link to={`/orders/${orderId}`} isItem>
      <code>{orderId}</code>
    </Link>
  );
}

const decision = (accept: CandidatesProps["accept"]): Column<Row> => ({
  name: "Action",
  cell: ({ order_id }) =>
    order_id ? (
      <ConfirmButton
        label="It is this order"
        fullLabel={`It is the order ${order_id}`}
        question="Give the result to this order?"
        act={() => accept(order_id)}
        isItem
      >
        The order gets the result, or a correction of the one that it has. Nobody can undo this.
      </ConfirmButton>
    ) : null,
});

/** The orders that a result may belong to, the likeliest first. */
export function Candidates({ review, accept }: CandidatesProps) {
  const all = review.allowed_actions.includes("accept") ? [...columns, decision(accept)] : columns;
  const rows = review.candidate_groups
    .flatMap(({ user_id, candidates }) => candidates.map((one): Row => ({ ...one, userId: user_id })))
    .sort((one, other) => (other.confidence_score ?? 0) - (one.confidence_score ?? 0));
  return (
    <Section title="Orders that it may belong to">
      {rows.length === 0 ? (
        <Empty title="No order comes into question">Reject the result, or pass it on.</Empty>
      ) : (
        <Table label="Candidates" columns={all} rows={rows} keyOf={({ order_id }) => order_id ?? "none"} />
      )}
    </Section>
  );
}
