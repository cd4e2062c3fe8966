import { useState } from "preact/hooks";
import { listOrders, type Order, type OrderFilter } from "../../api/orders.ts";
import { useLoad } from "../../api/use-load.ts";
import { completeUserId } from "../../api/users.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { WaitingReports } from "../reports/waiting-reports.tsx";
import { ReasonForm, useAsksWhy } from "../user/reason-form.tsx";
import { MatchReviews } from "./match-reviews.tsx";

const columns: readonly Column<Order>[] = [
  {
    name: "Lab test",
    cell: ({ id, lab_test }) => (
      <Link to={`/orders/${id}`} isItem>
        {lab_test.name}
      </Link>
    ),
  },
  { name: "Laboratory", isWide: true, cell: ({ lab_test }) => lab_test.lab?.name ?? "–" },
  { name: "State", cell: ({ status }) => <Badge state={status} /> },
  { name: "Step", isWide: true, cell: ({ last_event }) => last_event?.status.split(".").at(-1)?.replaceAll("_", " ") },
  { name: "Interpretation", cell: ({ interpretation }) => (interpretation ? <Badge state={interpretation} /> : "–") },
  { name: "Created", isWide: true, cell: ({ created_at }) => <Instant at={created_at} /> },
  { name: "Changed", cell: ({ updated_at }) => <Instant at={updated_at} isAge /> },
];

/** The orders of the team, and results that need a decision. */
export function OrdersView() {
  const [filter, setFilter] = useState<OrderFilter>({ page: 1, interpretation: "", search_input: "" });
  return (
    <Page title="Orders">
      <MatchReviews />
      <WaitingReports />
      <Section title="All orders">
        <Filters filter={filter} setFilter={setFilter} />
        <OrderList filter={filter} setFilter={setFilter} />
      </Section>
    </Page>
  );
}

interface FilterProps {
  readonly filter: OrderFilter;
  readonly setFilter: (filter: OrderFilter) => void;
}

function Filters({ filter, setFilter }: FilterProps) {
  return (
    <div class="row">
      <input
        class="search"
        type="search"
        aria-label="Find orders by id"
        placeholder="Complete order id or user id"
        autoComplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => setFilter({ ...filter, page: 1, search_input: currentTarget.value.trim() })}
      />
      <select
        aria-label="Interpretation"
        value={filter.interpretation}
        onChange={({ currentTarget }) => setFilter({ ...filter, page: 1, interpretation: currentTarget.value })}
      >
        <option value="">any interpretation</option>
        {["normal", "abnormal", "critical"].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The orders of a filter. A team that asks why people look at a user answers no search for a complete id. */
function OrderList(props: FilterProps) {
  const id = completeUserId(props.filter.search_input);
  if (!useAsksWhy(id) || id === undefined) return <FoundOrders {...props} />;
  return (
    <>
      <p class="quiet">
        If this is the id of an order, <Link to={`/orders/${id}`}>open the order</Link>.
      </p>
      <ReasonForm userId={id} />
    </>
  );
}

function FoundOrders({ filter, setFilter }: FilterProps) {
  const load = useLoad(`orders ${JSON.stringify(filter)}`, (signal) => listOrders(filter, signal));
  const { page } = filter;
  return (
    <Loaded load={load} lines={6}>
      {({ orders, total, size }) =>
        orders.length === 0 ? (
          <Empty title="No orders">
            Place one with <code>POST /v3/order</code>, or change the filter.
          </Empty>
        ) : (
          <>
            <Table label="Orders" columns={columns} rows={orders} keyOf={({ id }) => id} />
            <div class="row">
              <span class="quiet">{total === 1 ? "1 order" : `${formatNumber(total)} orders`}</span>
              <button type="button" disabled={page === 1} onClick={() => setFilter({ ...filter, page: page - 1 })}>
                Newer
              </button>
              <button
                type="button"
                disabled={page * size >= total}
                onClick={() => setFilter({ ...filter, page: page + 1 })}
              >
                Older
              </button>
            </div>
          </>
        )
      }
    </Loaded>
  );
}
