import { useEffect } from "preact/hooks";
import { deleteUser } from "../../api/deletions.ts";
import { useLoad } from "../../api/use-load.ts";
import { getUser, type User } from "../../api/users.ts";
import { userZone } from "../../app/preferences.ts";
import { navigate } from "../../app/route.ts";
import { session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { userParts } from "../../app/views.ts";
import { ConfirmButton } from "../../forms/confirm-button.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { knownZone } from "../../parts/time.ts";
import { DataTab } from "../data/data-tab.tsx";
import { DayTab } from "../day/day-tab.tsx";
import { WhyTab } from "../why/why-tab.tsx";
import { ReasonForm, useAsksWhy } from "./reason-form.tsx";
import { UserOverview } from "./user-overview.tsx";
import type { UserTab } from "./user-tab.ts";

const tabs: readonly [UserTab, ...UserTab[]] = [
  { name: userParts[""], segment: "", Tab: UserOverview },
  { name: userParts.data, segment: "data", Tab: DataTab },
  { name: userParts.day, segment: "day", Tab: DayTab },
  { name: userParts.why, segment: "why", Tab: WhyTab },
];

interface UserFrameProps {
  readonly userId: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** One user, once the person has said why they look, if the team asks. */
export function UserFrame(props: UserFrameProps) {
  const { userId } = props;
  if (useAsksWhy(userId))
    return (
      <Page title="User" trail={<Link to="/users">Users</Link>}>
        <ReasonForm userId={userId} />
      </Page>
    );
  return <ShownUser key={userId} {...props} />;
}

/** Who the user is, and the tabs with connections, data and explanations. */
function ShownUser({ userId, rest, query }: UserFrameProps) {
  const load = useLoad(`user ${userId}`, (signal) => getUser(userId, signal));
  const zone = load.value?.fallback_time_zone?.id;
  useEffect(() => {
    userZone.set(zone && knownZone(zone));
    return () => userZone.set(undefined);
  }, [zone]);
  const mayDelete = useStore(session)?.scopes.includes("users");
  const [segment = "", ...more] = rest;
  const current = tabs.find((tab) => tab.segment === segment) ?? tabs[0];
  return (
    <Page
      title="User"
      trail={<Link to="/users">Users</Link>}
      actions={load.value && mayDelete ? <DeleteButton userId={userId} /> : null}
    >
      <Loaded load={load} lines={8}>
        {(user) => (
          <>
            <UserFacts user={user} />
            <nav class="tabs" aria-label="Parts of the user">
              {tabs.map(({ name, segment: own }) => (
                <Link key={own} to={placeOf(userId, own)} isCurrent={own === current.segment}>
                  {name}
                </Link>
              ))}
            </nav>
            <current.Tab user={user} rest={more} query={query} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function DeleteButton({ userId }: { readonly userId: string }) {
  const remove = async () => {
    await deleteUser(userId);
    navigate("/team/deletions");
  };
  return (
    <ConfirmButton label="Delete the user" question="Delete this user?" act={remove}>
      Connections end at once, and the data disappears. For seven days an undo restores the user, without connections;
      after that everything is erased for good.
    </ConfirmButton>
  );
}

const placeOf = (userId: string, segment: string) => `/users/${userId}${segment === "" ? "" : `/${segment}`}`;

function UserFacts({ user }: { readonly user: User }) {
  const { user_id, client_user_id, created_on, fallback_time_zone } = user;
  return (
    <Facts
      facts={[
        ["Client user id", client_user_id],
        ["User id", <CopyId key="id" id={user_id} label="user id" />],
        ["Time zone", fallback_time_zone?.id ?? "unknown"],
        ["Created", <Instant key="created" at={created_on} />],
      ]}
    />
  );
}
