import { useState } from "preact/hooks";
import { endSession, type ListedSession, listSessions } from "../../api/team.ts";
import { toProblem, useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { CutNote } from "../../parts/cut-note.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columnsOf = (ownId: string, end: (id: string) => void): readonly Column<ListedSession>[] => [
  { name: "Person", cell: ({ name }) => name },
  { name: "Role", cell: ({ role }) => <Badge state={role} /> },
  { name: "Signed in", isWide: true, cell: ({ created_at }) => <Instant at={created_at} /> },
  { name: "Ends", cell: ({ expires_at }) => <Instant at={expires_at} /> },
  {
    name: "Action",
    cell: ({ session_id, name }) =>
      session_id === ownId ? (
        <span class="quiet">this session</span>
      ) : (
        <button type="button" data-item="" aria-label={`End the session of ${name}`} onClick={() => end(session_id)}>
          End
        </button>
      ),
  },
];

/** Who is signed in to the console. An admin ends the session of anybody. */
export function Sessions({ ownId }: { readonly ownId: string }) {
  const load = useLoad("sessions", listSessions);
  const [said, setSaid] = useState("");
  const end = (id: string) => {
    const done = () => {
      setSaid("Session ended.");
      load.reload();
    };
    endSession(id).then(done, (error) => setSaid(toProblem(error).message));
  };
  return (
    <Section title="Sessions of the console" note={<span role="status">{said}</span>}>
      <Loaded load={load}>
        {(list) => (
          <>
            <Table
              label="Sessions"
              isTall
              columns={columnsOf(ownId, end)}
              rows={list.rows}
              keyOf={({ session_id }) => session_id}
            />
            <CutNote list={list} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
