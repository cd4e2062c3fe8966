import { getTeam } from "../../api/team.ts";
import { useLoad } from "../../api/use-load.ts";
import { changesTeam, type Session, session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { teamParts } from "../../app/views.ts";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { AccessLog } from "./access-log.tsx";
import { Deletions } from "./deletions.tsx";
import { Keys } from "./keys.tsx";
import { Limits } from "./limits.tsx";
import { Priorities } from "./priorities.tsx";
import { ProviderApps } from "./provider-apps.tsx";
import { Sessions } from "./sessions.tsx";
import { SettingsForm } from "./settings.tsx";
import { Usage } from "./usage.tsx";

/** The team: its settings, keys, usage, deletions, and who is signed in or looked at data. */
export function TeamView({ tab }: { readonly tab: string }) {
  const present = useStore(session);
  return (
    <Page title="Team">
      <nav class="tabs" aria-label="Parts of the team">
        {Object.entries(teamParts).map(([segment, name]) => (
          <Link key={segment} to={segment === "" ? "/team" : `/team/${segment}`} isCurrent={segment === tab}>
            {name}
          </Link>
        ))}
      </nav>
      {present ? <Tab tab={tab} present={present} /> : null}
    </Page>
  );
}

interface TabProps {
  readonly tab: string;
  readonly present: Session;
}

function Tab({ tab, present }: TabProps) {
  const mayChange = changesTeam(present);
  if (tab === "deletions") return <Deletions />;
  if (tab === "keys") return mayChange ? <Keys /> : <ForAdmins />;
  if (tab === "usage") return mayChange ? <Usage /> : <ForAdmins />;
  if (tab === "people")
    return (
      <>
        {present.role === "admin" ? <Sessions ownId={present.session_id} /> : null}
        {mayChange ? <AccessLog /> : <ForAdmins />}
      </>
    );
  return (
    <>
      <TeamFacts teamId={present.team_id} />
      {mayChange ? <SettingsForm /> : null}
      <Priorities mayChange={present.scopes.includes("users")} />
      {mayChange ? <ProviderApps /> : null}
      {mayChange ? <Limits /> : null}
    </>
  );
}

/** Why a part stays empty without the management key behind the session. */
const ForAdmins = () => (
  <Empty title="This part is for admins">
    It needs the role admin and a session that a ticket opened: a key of the team may not do this either.
  </Empty>
);

function TeamFacts({ teamId }: { readonly teamId: string }) {
  const load = useLoad(`team ${teamId}`, (signal) => getTeam(teamId, signal));
  return (
    <Section title="Team">
      <Loaded load={load}>
        {({ id, name, configuration }) => (
          <Facts
            facts={[
              ["Name", name],
              ["Team id", <CopyId key="id" id={id} label="team id" />],
              ...Object.entries(configuration)
                .filter(([, value]) => typeof value === "string" || typeof value === "number")
                .map(([key, value]) => [humanize(key), String(value)] as const),
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
