import { useState } from "preact/hooks";
import { request } from "../../api/request.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

interface Rejection {
  readonly resource: string;
  readonly index: number;
  readonly effect: string;
  readonly field: string | null;
  readonly reason: string;
  readonly detail: string;
}

/** What became of a batch. */
interface WireReceipt {
  readonly status: string;
  readonly stored: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: readonly Rejection[];
  readonly event_ids: readonly string[];
}

const columns: readonly Column<Rejection>[] = [
  { name: "Record", cell: ({ resource, index }) => `${resource} ${index}` },
  { name: "Field", cell: ({ field }) => field ?? "whole record" },
  { name: "Effect", cell: ({ effect }) => <Badge state={effect} tone="bad" /> },
  { name: "Expected", cell: ({ detail }) => detail },
];

/** Looks up what of a batch was stored and what was refused. Only the sender knows the id of a receipt. */
export function Receipt({ userId }: { readonly userId: string }) {
  const [id, setId] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setId(String(new FormData(event.currentTarget as HTMLFormElement).get("receipt")).trim());
  };
  return (
    <Section
      title="What was refused"
      note="A batch answers with a receipt id; enter it to see what became of the batch."
    >
      <form class="row" onSubmit={submit}>
        <input
          class="search"
          name="receipt"
          aria-label="Receipt id"
          placeholder="Receipt id"
          required
          autoComplete="off"
        />
        <button type="submit">Look up</button>
      </form>
      {id ? <Found key={id} userId={userId} id={id} /> : null}
    </Section>
  );
}

function Found({ userId, id }: { readonly userId: string; readonly id: string }) {
  const load = useLoad(`receipt ${userId} ${id}`, (signal) =>
    request<WireReceipt>(`/v2/ingest/${userId}/${encodeURIComponent(id)}`, { signal }),
  );
  return (
    <Loaded load={load}>
      {({ status, stored, updated, unchanged, rejected }) => (
        <>
          <Facts
            facts={[
              ["Status", <Badge key="status" state={status} tone={status === "done" ? "good" : "warn"} />],
              ["New", formatNumber(stored)],
              ["Changed", formatNumber(updated)],
              ["Unchanged", formatNumber(unchanged)],
              ["Refused", formatNumber(rejected.length)],
            ]}
          />
          {rejected.length === 0 ? (
            <Empty title="Nothing was refused" />
          ) : (
            <Table
              label="Refused records"
              isTall
              columns={columns}
              rows={rejected}
              keyOf={({ resource, index, field }) => `${resource} ${index} ${field}`}
            />
          )}
        </>
      )}
    </Loaded>
  );
}
