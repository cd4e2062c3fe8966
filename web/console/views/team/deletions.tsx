import { useState } from "preact/hooks";
import { listDeletions, type PendingDeletion, undoDeletion } from "../../api/deletions.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { useLoad } from "../../api/use-load.ts";
import { session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Said } from "../../forms/said.tsx";
import { type Action, useAction } from "../../forms/use-action.ts";
import { CutNote } from "../../parts/cut-note.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { formatDuration } from "../../parts/time.ts";
import { asksWhy, ReasonForm, WithReason } from "../user/reason-form.tsx";
import { CertificateOf } from "./certificate.tsx";

/** The time that is left, in days once it is longer than one: `6 days 23 h`. */
function formatRest(ms: number): string {
  if (ms <= 0) return "over";
  const days = Math.floor(ms / 86_400_000);
  if (days === 0) return formatDuration(ms / 1_000);
  return `${days} ${days === 1 ? "day" : "days"} ${Math.floor((ms % 86_400_000) / 3_600_000)} h`;
}

interface Undo {
  readonly action: Action;
  readonly undo: (deletion: PendingDeletion) => void;
}

const columnsOf = (undo: Undo | undefined): readonly Column<PendingDeletion>[] => [
  { name: "Client user id", cell: ({ client_user_id }) => client_user_id },
  { name: "User id", isWide: true, cell: ({ user_id }) => <code>{user_id}</code> },
  { name: "Requested", isWide: true, cell: ({ requested_at }) => <Instant at={requested_at} /> },
  { name: "Erased at", isWide: true, cell: ({ erase_at }) => <Instant at={erase_at} /> },
  { name: "Left", cell: ({ erase_at }) => formatRest(Date.parse(erase_at) - serviceNow()) },
  ...(undo
    ? [
        {
          name: "Action",
          cell: (deletion: PendingDeletion) => (
            <button
              type="button"
              data-item=""
              disabled={undo.action.isBusy}
              aria-label={`Undo the deletion of ${deletion.client_user_id}`}
              onClick={() => undo.undo(deletion)}
            >
              Undo
            </button>
          ),
        },
      ]
    : []),
];

/** Deleted users whose grace period runs, with an undo; and the certificate of an erased one. */
export function Deletions() {
  const load = useLoad("deletions", listDeletions);
  const action = useAction();
  const mayUndo = useStore(session)?.scopes.includes("users");
  const [asked, setAsked] = useState<PendingDeletion>();
  const undo = async (deletion: PendingDeletion) => {
    const { user_id } = deletion;
    setAsked(asksWhy(user_id) ? deletion : undefined);
    if (asksWhy(user_id)) return;
    if (await action.run(() => undoDeletion(user_id), "Restored, without connections.")) load.reload();
  };
  return (
    <>
      <Section title="Deletions in their grace period" note={<Said action={action} />}>
        {asked ? <ReasonForm key={asked.user_id} userId={asked.user_id} said={() => undo(asked)} /> : null}
        <Loaded load={load}>
          {(list) =>
            list.rows.length === 0 ? (
              <Empty title="No deletion waits">A deleted user stays here for seven days.</Empty>
            ) : (
              <>
                <Table
                  label="Deletions"
                  isTall
                  columns={columnsOf(mayUndo ? { action, undo } : undefined)}
                  rows={list.rows}
                  keyOf={({ user_id }) => user_id}
                />
                <CutNote list={list} />
              </>
            )
          }
        </Loaded>
      </Section>
      <Certificates />
    </>
  );
}

function Certificates() {
  const [userId, setUserId] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setUserId(fieldText(new FormData(event.currentTarget as HTMLFormElement), "user"));
  };
  return (
    <Section title="Certificates" note="What an erasure deleted, from the end of the grace period on, for good.">
      <form class="row fields" onSubmit={submit}>
        <Field label="User id">
          <input name="user" class="search" required placeholder="Complete user id" autoComplete="off" />
        </Field>
        <button type="submit">Show</button>
      </form>
      {userId === "" ? null : (
        <WithReason userId={userId}>
          <CertificateOf userId={userId} />
        </WithReason>
      )}
    </Section>
  );
}
