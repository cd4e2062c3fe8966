import { getTeam, listPriorities, type SourcePriority } from "../../api/team.ts";
import { useLoad } from "../../api/use-load.ts";
import { session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Sessions } from "./sessions.tsx";

/** The team: its settings, the ranks of its sources, and who is signed in to the console. */
export function TeamView() {
  const present = useStore(session);
  return (
    <Page title="Team">
      {present ? <Settings teamId={present.team_id} /> : null}
      {present?.role === "admin" ? <Sessions ownId={present.session_id} /> : null}
      <Priorities />
    </Page>
  );
}

function Settings({ teamId }: { readonly teamId: string }) {
  const load = useLoad(`team ${teamId}`, (signal) => getTeam(teamId, signal));
  return (
    <Section title="Settings" note="A management key changes them.">
      <Loaded load={load}>
        {({ id, name, configuration }) => (
          <Facts
            facts={[
              ["Name", name],
              ["Team id", <CopyId key="id" id={id} label="team id" />],
              ...Object.entries(configuration)
                .filter(([, value]) => typeof value !== "object")
                .map(([key, value]) => [humanize(key), wordOf(value)] as const),
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function wordOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

const columns: readonly Column<SourcePriority>[] = [
  { name: "Data", cell: ({ data_type }) => humanize(data_type) },
  { name: "Provider", cell: ({ provider }) => humanize(provider) },
  { name: "Priority", isNumber: true, cell: ({ priority }) => priority },
];

function Priorities() {
  const load = useLoad("priorities", listPriorities);
  return (
    <Section title="Source priorities" note="Of two sources of one type, the larger priority counts. The default is 0.">
      <Loaded load={load} lines={2}>
        {(priorities) =>
          priorities.length === 0 ? (
            <Empty title="All sources have the default priority">
              Change it with <code>PATCH /v2/team/source/priorities</code>.
            </Empty>
          ) : (
            <Table
              label="Priorities"
              columns={columns}
              rows={priorities}
              keyOf={({ data_type, provider }) => `${data_type} ${provider}`}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
