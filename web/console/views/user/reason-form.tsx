import type { ComponentChildren } from "preact";
import { reasons, setReason } from "../../api/request.ts";
import { session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { Field, fieldText } from "../../forms/field.tsx";

const REASONS = {
  support: "Support: somebody asked for help",
  clinical: "Clinical: care of this person",
  quality: "Quality: a check of data or software",
  legal: "Legal: a request by law or by the person",
  other: "Other",
} as const;

/** Whether the team wants to know why the person looks at a user, and the person has not said it. */
export const asksWhy = (userId: string) => session.get()?.asks_reason === true && !reasons.get().has(userId);

/** Follows {@link asksWhy}. */
export function useAsksWhy(userId: string | null | undefined): boolean {
  useStore(session);
  useStore(reasons);
  return userId != null && asksWhy(userId);
}

interface WithReasonProps {
  readonly userId: string | null | undefined;
  readonly children: ComponentChildren;
}

/** Shows what concerns a user, once the person has said why they look, if the team asks. */
export function WithReason({ userId, children }: WithReasonProps) {
  const isAsked = useAsksWhy(userId);
  return isAsked && userId ? <ReasonForm userId={userId} /> : children;
}

interface ReasonFormProps {
  readonly userId: string;
  /** Called once the reason is known. */
  readonly said?: () => void;
}

/** Asks why the person looks at a user. The answer stands in the access log beside each call. */
export function ReasonForm({ userId, said }: ReasonFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setReason(userId, `${fieldText(form, "reason")} ${fieldText(form, "case")}`.trim());
    said?.();
  };
  return (
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
  );
}
