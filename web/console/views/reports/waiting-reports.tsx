import { listWaitingReports, type WaitingReport } from "../../api/reports.ts";
import { useLoad } from "../../api/use-load.ts";
import { navigate } from "../../app/route.ts";
import { readsEvents, session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Link } from "../../parts/link.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columns: readonly Column<WaitingReport>[] = [
  {
    name: "Report",
    cell: ({ id }) => (
      <Link to={`/orders/reports/${id}`} isItem>
        <code>{id}</code>
      </Link>
    ),
  },
  { name: "User", isWide: true, cell: ({ userId }) => (userId ? <Link to={`/users/${userId}`}>the user</Link> : "–") },
];

/** Lab reports that wait for a review. Without the right to read events, a person enters the id of one. */
export function WaitingReports() {
  const mayList = readsEvents(useStore(session));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const id = fieldText(new FormData(event.currentTarget as HTMLFormElement), "job");
    navigate(`/orders/reports/${encodeURIComponent(id)}`);
  };
  return (
    <Section title="Lab reports to review" note={mayList ? "Among the newest 500 events of the team." : null}>
      {mayList ? <WaitingList /> : null}
      <form class="row fields" onSubmit={submit}>
        <Field label="Review the report">
          <input name="job" class="search" required placeholder="Id of the parsing job" autoComplete="off" />
        </Field>
        <button type="submit">Review</button>
      </form>
    </Section>
  );
}

function WaitingList() {
  const load = useLoad("waiting reports", listWaitingReports);
  return (
    <Loaded load={load} lines={2}>
      {(reports) =>
        reports.length === 0 ? (
          <Empty title="No report waits" />
        ) : (
          <Table label="Reports" columns={columns} rows={reports} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
