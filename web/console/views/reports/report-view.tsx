import { useState } from "preact/hooks";
import { openReview } from "../../api/reports.ts";
import { useLoad } from "../../api/use-load.ts";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { ReportForm } from "./report-form.tsx";

/** A lab report that waits for a person: its pages beside what was read from them. */
export function ReportView({ jobId }: { readonly jobId: string }) {
  const load = useLoad(`report ${jobId}`, (signal) => openReview(jobId, signal));
  const [isAccepted, setAccepted] = useState(false);
  return (
    <Page title="Lab report" trail={<Link to="/orders">Orders</Link>}>
      {isAccepted ? (
        <Empty title="Report accepted">Its values are among the results of the user.</Empty>
      ) : (
        <Loaded load={load} lines={8}>
          {(review) => <ReportForm review={review} accepted={() => setAccepted(true)} />}
        </Loaded>
      )}
    </Page>
  );
}
