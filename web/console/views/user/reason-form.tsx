import { setReason } from "../../api/request.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";

const REASONS = {
  support: "Support: somebody asked for help",
  clinical: "Clinical: care of this person",
  quality: "Quality: a check of data or software",
  legal: "Legal: a request by law or by the person",
  other: "Other",
} as const;

interface ReasonFormProps {
  readonly userId: string;
  /** Called once the reason is known. */
  readonly said: () => void;
}

/** Asks why the person looks at a user. The answer stands in the access log beside each call. */
export function ReasonForm({ userId, said }: ReasonFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setReason(userId, `${fieldText(form, "reason")} ${fieldText(form, "case")}`.trim());
    said();
  };
  return (
    <Page title="User" trail={<Link to="/users">Users</Link>}>
      <form class="form card narrow" onSubmit={submit} autoComplete="off">
        <h2>Why do you look at this user?</h2>
        <p class="quiet">Your team asks. The access log shows your answer beside everything that you open.</p>
        <Field label="Reason">
          <select name="reason">
            {Object.entries(REASONS).map(([reason, words]) => (
              <option key={reason} value={reason}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Case" hint="The number of a ticket, without names. Letters, digits, dots and hyphens.">
          <input name="case" maxLength={40} pattern="[A-Za-z0-9][A-Za-z0-9._\-]*" spellcheck={false} />
        </Field>
        <div class="row">
          <button type="submit" class="primary">
            Open
          </button>
        </div>
      </form>
    </Page>
  );
}
