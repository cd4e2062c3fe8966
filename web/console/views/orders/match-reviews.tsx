import { useState } from "preact/hooks";
import { listMatchReviews, type MatchReview } from "../../api/reviews.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { CutNote } from "../../parts/cut-note.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

/** Who has to decide. */
const STATES: Readonly<Record<string, string>> = {
  pending_customer_review: "to decide",
  pending_ops_review: "with the operators",
};

/** The state of a review in words. */
export const ReviewState = ({ status }: { readonly status: string }) => (
  <Badge state={STATES[status] ?? status} tone={status.startsWith("pending") ? "warn" : "plain"} />
);

const columns: readonly Column<MatchReview>[] = [
  {
    name: "Reason",
    cell: ({ id, reason }) => (
      <Link to={`/orders/reviews/${id}`} isItem>
        {reason}
      </Link>
    ),
  },
  { name: "State", cell: ({ status }) => <ReviewState status={status} /> },
  { name: "Laboratory", isWide: true, cell: ({ lab }) => lab?.name ?? "–" },
  { name: "Interpretation", isWide: true, cell: ({ interpretation: one }) => (one ? <Badge state={one} /> : "–") },
  { name: "Markers", isNumber: true, isWide: true, cell: ({ markers }) => markers.length },
  { name: "Received", cell: ({ created_at }) => <Instant at={created_at} isAge /> },
];

/** Results whose order is uncertain: those that wait for a decision, or all. */
export function MatchReviews() {
  const [status, setStatus] = useState("pending_customer_review");
  const load = useLoad(`match reviews ${status}`, (signal) => listMatchReviews(status, signal));
  return (
    <Section
      title="Results without a certain order"
      actions={
        <select aria-label="State of reviews" value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
          <option value="pending_customer_review">to decide</option>
          <option value="">all</option>
        </select>
      }
    >
      <Loaded load={load} lines={2}>
        {(list) =>
          list.rows.length === 0 ? (
            <Empty title="Nothing to decide">A report that fits no order, or several, appears here.</Empty>
          ) : (
            <>
              <Table label="Match reviews" columns={columns} rows={list.rows} keyOf={({ id }) => id} />
              <CutNote list={list} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
