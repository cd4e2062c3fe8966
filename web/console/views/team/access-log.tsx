import { useState } from "preact/hooks";
import { type AccessEntry, listAccess } from "../../api/settings.ts";
import { useLoad } from "../../api/use-load.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columns: readonly Column<AccessEntry>[] = [
  { name: "Time", cell: ({ at }) => <Instant at={at} /> },
  { name: "Who", cell: ({ actor, caller }) => <span class="unbroken">{actor ?? caller}</span> },
  { name: "Why", isWide: true, cell: ({ reason }) => reason ?? "" },
  { name: "Operation", cell: ({ operation }) => <code class="unbroken">{operation}</code> },
  {
    name: "Of",
    isWide: true,
    cell: ({ subject, target }) => (
      <span class="quiet small" title={subject ? `digest ${subject}` : ""}>
        {[subject ? "one user" : "", ...Object.entries(target).map(([name, value]) => `${name} ${value}`)]
          .filter(Boolean)
          .join(", ")}
      </span>
    ),
  },
  { name: "Status", isNumber: true, cell: ({ status }) => status ?? "–" },
];

/** Who touched data of users in the last 31 days: the newest hundred calls, of all users or of one. */
export function AccessLog() {
  const [userId, setUserId] = useState("");
  const load = useLoad(`access ${userId}`, (signal) => listAccess(userId, signal));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setUserId(fieldText(new FormData(event.currentTarget as HTMLFormElement), "user"));
  };
  return (
    <Section title="Who looked" note="The newest hundred calls on data of users.">
      <form class="row fields" onSubmit={submit}>
        <Field label="Only of the user">
          <input name="user" class="search" placeholder="Complete user id; empty for all" autoComplete="off" />
        </Field>
        <button type="submit">Show</button>
      </form>
      <Loaded load={load}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No calls" />
          ) : (
            <Table label="Calls" isTall columns={columns} rows={entries} keyOf={({ id, at }) => `${id} ${at}`} />
          )
        }
      </Loaded>
    </Section>
  );
}
