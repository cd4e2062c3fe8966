import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLoad } from "../../api/use-load.ts";
import { completeUserId, searchUsers, type User } from "../../api/users.ts";
import { navigate } from "../../app/route.ts";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useAsksWhy } from "../user/reason-form.tsx";

const PAGE_SIZE = 100;
const SEARCH_DELAY_MS = 200;

const columns: readonly Column<User>[] = [
  {
    name: "Client user id",
    cell: ({ user_id, client_user_id }) => (
      <Link to={`/users/${user_id}`} isItem>
        {client_user_id}
      </Link>
    ),
  },
  { name: "User id", isWide: true, cell: ({ user_id }) => <code>{user_id}</code> },
  {
    name: "Connections",
    cell: ({ connected_sources: all }) =>
      all.length === 0 ? <span class="quiet">none</span> : all.map(({ provider }) => provider.name).join(", "),
  },
  { name: "Created", isWide: true, cell: ({ created_on }) => <Instant at={created_on} /> },
];

/** The users of the team: a list in pages, and a search by either id. */
export function UsersView({ query }: { readonly query: URLSearchParams }) {
  const [sought, setSought] = useState("");
  const text = useDelayed(sought.trim());
  return (
    <Page title="Users">
      <div class="row">
        <input
          class="search"
          type="search"
          aria-label="Find a user by id"
          placeholder="Client user id, or its beginning, or user id"
          autoComplete="off"
          spellcheck={false}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
        <span class="quiet small">Arrow keys move in the list, Enter opens.</span>
      </div>
      {text === "" ? <AllUsers after={query.get("after") ?? ""} /> : <FoundUsers key={text} text={text} />}
    </Page>
  );
}

/** Follows a value once it has stayed the same for a moment. */
function useDelayed(value: string): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return late;
}

const UserTable = ({ users }: { readonly users: readonly User[] }) => (
  <Table label="Users" columns={columns} rows={users} keyOf={({ user_id }) => user_id} />
);

/** All users in the order of creation. The address names the page. */
const AllUsers = ({ after }: { readonly after: string }) => (
  <UserPages
    search=""
    after={after}
    goTo={(cursor) => navigate(cursor === "" ? "/users" : `/users?after=${cursor}`)}
    empty={
      <Empty title="No users yet">
        Create one with <code>POST /v2/user</code>. Its connections and data appear here.
      </Empty>
    }
  />
);

/** Users whose id a text begins. The address does not name it, because it may be the id of a person elsewhere. */
function FoundUsers({ text }: { readonly text: string }) {
  const [after, setAfter] = useState("");
  const userId = completeUserId(text);
  if (useAsksWhy(userId))
    return (
      <Empty title="This is the complete id of a user">
        Your team asks why you look at a user. <Link to={`/users/${userId}`}>Say it and open the user</Link>
      </Empty>
    );
  return (
    <UserPages
      search={text}
      after={after}
      goTo={setAfter}
      empty={
        <Empty title="No user has this id">
          Enter how the client user id begins, with its capitals, or the complete user id of this service.
        </Empty>
      }
    />
  );
}

interface UserPagesProps {
  readonly search: string;
  readonly after: string;
  readonly goTo: (cursor: string) => void;
  readonly empty: ComponentChildren;
}

function UserPages({ search, after, goTo, empty }: UserPagesProps) {
  const load = useLoad(`users ${search} ${after}`, (signal) => searchUsers(search, after, PAGE_SIZE, signal));
  return (
    <Loaded load={load} lines={8}>
      {({ users, next_cursor: next }) => (
        <>
          {users.length === 0 ? empty : <UserTable users={users} />}
          {(after !== "" || next !== null) && (
            <div class="row">
              <button type="button" disabled={after === ""} onClick={() => goTo("")}>
                First page
              </button>
              <button type="button" disabled={next === null} onClick={() => next && goTo(next)}>
                Next page
              </button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
