import { useEffect, useState } from "preact/hooks";
import { completeUserId, searchUsers, type User } from "../api/users.ts";
import { theme, zoneChoice } from "./preferences.ts";
import { navigate, route } from "./route.ts";
import { session } from "./session.ts";
import { signOut } from "./sign-out.ts";
import { teamParts, userParts, views } from "./views.ts";

/** Something that the palette can do. */
export interface Command {
  readonly name: string;
  readonly hint: string;
  readonly run: () => void;
}

/** Characters from which a text may be the beginning of an id of a user. */
const MIN_ID_LENGTH = 2;
const MAX_USERS = 5;
const SEARCH_DELAY_MS = 200;

const settings: readonly Command[] = [
  { name: "Times in my zone", hint: "setting", run: () => zoneChoice.set("viewer") },
  { name: "Times in the user's zone", hint: "setting", run: () => zoneChoice.set("user") },
  { name: "Times in UTC", hint: "setting", run: () => zoneChoice.set("utc") },
  { name: "Light colours", hint: "setting", run: () => theme.set("light") },
  { name: "Dark colours", hint: "setting", run: () => theme.set("dark") },
  { name: "Colours of the system", hint: "setting", run: () => theme.set("auto") },
  { name: "Print this view", hint: "action", run: () => print() },
  { name: "Sign out", hint: "action", run: () => void signOut() },
];

/** The commands that match a text: users whose id begins with it first, then views and settings. */
export function useCommands(text: string): readonly Command[] {
  const sought = text.trim();
  const users = useUsers(sought);
  const goTo = views.map(({ place, name, hint }) => ({ name, hint, run: () => navigate(place) }));
  const matches = [...goTo, ...partsOfUser(), ...partsOfTeam, ...settings].filter(({ name }) =>
    name.toLowerCase().includes(sought.toLowerCase()),
  );
  const userId = askedUser(sought);
  const asked = userId === undefined ? [] : [{ user_id: userId, client_user_id: userId }];
  return [...[...asked, ...users].map(toCommand), ...matches];
}

const partsOfTeam = Object.entries(teamParts)
  .filter(([segment]) => segment !== "")
  .map(
    ([segment, name]): Command => ({ name: `Team, ${name}`, hint: "part", run: () => navigate(`/team/${segment}`) }),
  );

/** The parts of the user whom the view shows, if it shows one. */
function partsOfUser(): readonly Command[] {
  const [view, userId] = route.get().segments;
  if (view !== "users" || !userId) return [];
  return Object.entries(userParts).map(([segment, name]) => ({
    name: `This user, ${name}`,
    hint: "part",
    run: () => navigate(`/users/${userId}${segment === "" ? "" : `/${segment}`}`),
  }));
}

/** The user whose complete id a text is, if the team asks why people look at a user: it answers no search for one. */
const askedUser = (text: string) => (session.get()?.asks_reason === true ? completeUserId(text) : undefined);

const toCommand = ({ user_id, client_user_id }: Pick<User, "user_id" | "client_user_id">): Command => ({
  name: `User ${client_user_id}`,
  hint: user_id,
  run: () => navigate(`/users/${user_id}`),
});

function useUsers(sought: string): readonly User[] {
  const [users, setUsers] = useState<readonly User[]>([]);
  useEffect(() => {
    setUsers([]);
    if (sought.length < MIN_ID_LENGTH || askedUser(sought) !== undefined) return;
    const controller = new AbortController();
    const search = () =>
      searchUsers(sought, "", MAX_USERS, controller.signal).then(
        ({ users }) => setUsers(users),
        () => undefined,
      );
    const timer = setTimeout(search, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [sought]);
  return users;
}
