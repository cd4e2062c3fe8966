import { useState } from "preact/hooks";
import { acceptResult, getMatchReview, type MatchReview, resolveReview } from "../../api/reviews.ts";
import { useLoad } from "../../api/use-load.ts";
import { ConfirmButton } from "../../forms/confirm-button.tsx";
import { Field } from "../../forms/field.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Candidates } from "./candidates.tsx";
import { ReviewState } from "./match-reviews.tsx";

/** A result without a certain order: what the report says, the orders that it may belong to, and the decision. */
export function ReviewView({ reviewId }: { readonly reviewId: string }) {
  const load = useLoad(`review ${reviewId}`, (signal) => getMatchReview(reviewId, signal));
  const [note, setNote] = useState("");
  return (
    <Page title="Result without a certain order" trail={<Link to="/orders">Orders</Link>}>
      <Loaded load={load} lines={6}>
        {(review) => (
          <>
            <ReviewFacts review={review} />
            <Candidates
              review={review}
              accept={async (orderId) => {
                await acceptResult(review.id, orderId, note.trim());
                load.reload();
              }}
            />
            <Decision review={review} note={note} setNote={setNote} decided={load.reload} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const nameOf = ({ patient }: MatchReview) =>
  [
    [patient?.first_name, patient?.last_name].filter(Boolean).join(" "),
    patient?.dob ? `born ${patient.dob.slice(0, 10)}` : "",
    patient?.gender ?? "",
  ]
    .filter(Boolean)
    .join(", ");

function ReviewFacts({ review }: { readonly review: MatchReview }) {
  const { status, reason, lab, interpretation, result_status, markers, created_at, reviewed_at } = review;
  return (
    <>
      <p>{reason}</p>
      <Facts
        facts={[
          ["State", <ReviewState key="state" status={status} />],
          ["Patient of the report", nameOf(review) || "–"],
          ["Laboratory", lab?.name ?? "–"],
          ["Report", result_status ? <Badge key="report" state={result_status} /> : "–"],
          ["Interpretation", interpretation ? <Badge key="interpretation" state={interpretation} /> : "–"],
          ["Received", <Instant key="received" at={created_at} />],
          ["Decided", <Instant key="decided" at={reviewed_at} />],
        ]}
      />
      <Section title="Markers of the report">
        <p>{markers.map(({ name }) => name ?? "without a name").join(", ") || "The report names none."}</p>
      </Section>
    </>
  );
}

interface DecisionProps {
  readonly review: MatchReview;
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly decided: () => void;
}

function Decision({ review, note, setNote, decided }: DecisionProps) {
  const { id, allowed_actions: allowed, resolution_action: action } = review;
  const resolve = (how: "reject" | "unsure") => async () => {
    await resolveReview(id, how, note.trim());
    decided();
  };
  if (allowed.length === 0)
    return (
      <Section title="Decision">
        <p>
          {action ? humanize(action) : "Nothing can be decided here."}
          {review.note ? `: ${review.note}` : ""}
        </p>
      </Section>
    );
  return (
    <Section title="Decision" note="A decision is final.">
      <Field label="Note" hint="Why. It stays with the result.">
        <textarea rows={2} maxLength={2_000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </Field>
      <div class="row">
        {allowed.includes("reject") ? (
          <ConfirmButton label="Reject the result" question="Reject this result?" act={resolve("reject")}>
            No order gets it, and nobody can undo this.
          </ConfirmButton>
        ) : null}
        {allowed.includes("unsure") ? (
          <ConfirmButton label="I am not sure" question="Pass it on?" act={resolve("unsure")}>
            The operators of the deployment decide then.
          </ConfirmButton>
        ) : null}
      </div>
    </Section>
  );
}
