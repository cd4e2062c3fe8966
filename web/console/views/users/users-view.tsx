import { useEffect, useState } from "preact/hooks";
import { useLoad } from "../../api/use-load.ts";
import { findUsers, listUsers, type User } from "../../api/users.ts";
import { navigate } from "../../app/route.ts";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

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
  const offset = Math.max(0, Number(query.get("offset")) || 0);
  const [sought, setSought] = useState("");
  const text = useDelayed(sought.trim());
  return (
    <Page title="Users">
      <div class="row">
        <input
          class="search"
          type="search"
          aria-label="Find a user by id"
          placeholder="Complete user id or client user id"
          autoComplete="off"
          spellcheck={false}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
        <span class="quiet small">Arrow keys move in the list, Enter opens.</span>
      </div>
      {text === "" ? <UserList offset={offset} /> : <FoundUsers id={text} />}
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

function UserList({ offset }: { readonly offset: number }) {
  const load = useLoad(`users ${offset}`, (signal) => listUsers(offset, PAGE_SIZE, signal));
  return (
    <Loaded load={load} lines={8}>
      {({ users, total }) =>
        users.length === 0 ? (
          <Empty title="No users yet">
            Create one with <code>POST /v2/user</code>. Its connections and data appear here.
          </Empty>
        ) : (
          <>
            <UserTable users={users} />
            <Pages offset={offset} shown={users.length} total={total} />
          </>
        )
      }
    </Loaded>
  );
}

interface PagesProps {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
}

function Pages({ offset, shown, total }: PagesProps) {
  const goTo = (position: number) => navigate(position > 0 ? `/users?offset=${position}` : "/users");
  return (
    <div class="row">
      <span class="quiet">
        {formatNumber(offset + 1)} to {formatNumber(offset + shown)} of {formatNumber(total)}
      </span>
      <button type="button" disabled={offset === 0} onClick={() => goTo(offset - PAGE_SIZE)}>
        Earlier
      </button>
      <button type="button" disabled={offset + shown >= total} onClick={() => goTo(offset + PAGE_SIZE)}>
        Later
      </button>
    </div>
  );
}

function FoundUsers({ id }: { readonly id: string }) {
  const load = useLoad(`find ${id}`, (signal) => findUsers(id, signal));
  return (
    <Loaded load={load} lines={2}>
      {(users) =>
        users.length === 0 ? (
          <Empty title="No user has this id">
            Enter the complete id: the user id of this service, or your own client user id. Parts match nothing.
          </Empty>
        ) : (
          <UserTable users={users} />
        )
      }
    </Loaded>
  );
}
