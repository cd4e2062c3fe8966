import type { WholeList } from "../../api/all-pages.ts";
import { listWaitingReports, type WaitingReport } from "../../api/reports.ts";
import { useLoad } from "../../api/use-load.ts";
import { navigate } from "../../app/route.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columns: readonly Column<WaitingReport>[] = [
  {
    name: "Report",
    cell: ({ job_id }) => (
      <Link to={`/orders/reports/${job_id}`} isItem>
        <code>{job_id}</code>
      </Link>
    ),
  },
  { name: "User", cell: ({ user_id, client_user_id }) => <Link to={`/users/${user_id}`}>{client_user_id}</Link> },
  { name: "Submitted", isWide: true, cell: ({ created_at }) => <Instant at={created_at} isAge /> },
];

/** Lab reports that wait for a review, and a field for the id of one. */
export function WaitingReports() {
  const load = useLoad("waiting reports", listWaitingReports);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const id = fieldText(new FormData(event.currentTarget as HTMLFormElement), "job");
    navigate(`/orders/reports/${encodeURIComponent(id)}`);
  };
  return (
    <Section title="Lab reports to review" note={load.value ? noteOn(load.value) : null}>
      <Loaded load={load} lines={2}>
        {({ rows: reports }) =>
          reports.length === 0 ? (
            <Empty title="No report waits" />
          ) : (
            <Table label="Reports" columns={columns} rows={reports} keyOf={({ job_id }) => job_id} />
          )
        }
      </Loaded>
      <form class="row fields" onSubmit={submit}>
        <Field label="Review the report">
          <input name="job" class="search" required placeholder="Id of the parsing job" autoComplete="off" />
        </Field>
        <button type="submit">Review</button>
      </form>
    </Section>
  );
}

function noteOn({ rows: reports, isCut }: WholeList<WaitingReport>): string | null {
  if (reports.length === 0) return null;
  return isCut
    ? `${formatNumber(reports.length)} of more reports.`
    : `Oldest first, ${formatNumber(reports.length)} in all.`;
}
