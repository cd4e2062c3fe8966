import { useState } from "preact/hooks";
import { type ApiKey, createKey, endKey, listKeys } from "../../api/keys.ts";
import { useLoad } from "../../api/use-load.ts";
import { ConfirmButton } from "../../forms/confirm-button.tsx";
import { SecretOnce } from "../../forms/secret-once.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CutNote } from "../../parts/cut-note.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { KeyForm } from "./key-form.tsx";

const rightsOf = ({ lab, scopes }: ApiKey) => (lab ? `results of ${lab}` : (scopes?.join(", ") ?? "full access"));

const columnsOf = (changed: () => void): readonly Column<ApiKey>[] => [
  { name: "Label", cell: ({ label }) => label },
  { name: "Key", isWide: true, cell: ({ value }) => <code>{value}</code> },
  { name: "Rights", isWide: true, cell: rightsOf },
  { name: "Created", isWide: true, cell: ({ created_at }) => <Instant at={created_at} /> },
  {
    name: "Last used",
    cell: ({ last_used_at, retired_at }) =>
      retired_at ? <Badge state="retired" /> : <Instant at={last_used_at} isAge />,
  },
  { name: "Action", cell: (key) => <KeyActions apiKey={key} changed={changed} /> },
];

interface KeyActionsProps {
  readonly apiKey: ApiKey;
  readonly changed: () => void;
}

function KeyActions({ apiKey: { id, label, retired_at }, changed }: KeyActionsProps) {
  const end = (how: "delete" | "retire") => async () => {
    await endKey(id, how);
    changed();
  };
  return (
    <span class="row">
      {retired_at ? null : (
        <ConfirmButton
          label="Retire"
          fullLabel={`Retire ${label}`}
          question="Retire this key?"
          act={end("retire")}
          isItem
        >
          It stops working within a minute. Phones and links that it made keep working.
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Delete"
        fullLabel={`Delete ${label}`}
        question="Delete this key?"
        act={end("delete")}
        isItem
      >
        It stops working within a minute, and so do all links, phones and sessions that it made. Nobody can undo this.
      </ConfirmButton>
    </span>
  );
}

/** The API keys of the team: create, retire, delete. */
export function Keys() {
  const load = useLoad("keys", listKeys);
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<string>();
  const save = async (label: string, scopes: readonly string[] | undefined) => {
    setMade(await createKey(label, scopes));
    load.reload();
  };
  return (
    <Section
      title="API keys"
      actions={
        <button type="button" onClick={() => setOpen(true)}>
          Create a key
        </button>
      }
    >
      <Loaded load={load}>
        {(list) =>
          list.rows.length === 0 ? (
            <Empty title="No keys">Your backend needs one to call the API.</Empty>
          ) : (
            <>
              <Table label="Keys" isTall columns={columnsOf(load.reload)} rows={list.rows} keyOf={({ id }) => id} />
              <CutNote list={list} />
            </>
          )
        }
      </Loaded>
      {isOpen ? <KeyForm save={save} close={() => setOpen(false)} /> : null}
      {made === undefined || isOpen ? null : (
        <SecretOnce title="The new key" label="key" secret={made} close={() => setMade(undefined)}>
          It works at once.
        </SecretOnce>
      )}
    </Section>
  );
}
