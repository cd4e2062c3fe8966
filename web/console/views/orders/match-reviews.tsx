import { listMatchReviews, type MatchReview } from "../../api/orders.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columns: readonly Column<MatchReview>[] = [
  { name: "Received", cell: ({ created_at }) => <Instant at={created_at} /> },
  {
    name: "State",
    cell: ({ status }) => <Badge state={status} tone={status.startsWith("pending") ? "warn" : "plain"} />,
  },
  { name: "Markers", cell: ({ markers }) => markers.map(({ name }) => name).join(", ") },
  { name: "Laboratory", isWide: true, cell: ({ lab }) => lab?.name ?? "–" },
  { name: "Reason", isWide: true, cell: ({ reason }) => <span class="quiet">{reason}</span> },
];

/** Results whose order is uncertain. Somebody has to decide them through the API. */
export function MatchReviews() {
  const load = useLoad("match reviews", listMatchReviews);
  return (
    <Section title="Results without a certain order" note="Decide them with POST /v3/unmatched_result/{id}/resolve.">
      <Loaded load={load} lines={2}>
        {(reviews) =>
          reviews.length === 0 ? (
            <Empty title="Nothing to decide" />
          ) : (
            <Table label="Match reviews" columns={columns} rows={reviews} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Section>
  );
}
