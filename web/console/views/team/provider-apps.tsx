import { deleteApp, listApps, type ProviderApp, setApp } from "../../api/keys.ts";
import { useLoad } from "../../api/use-load.ts";
import { ConfirmButton } from "../../forms/confirm-button.tsx";
import { Field, fieldText } from "../../forms/field.tsx";
import { Said } from "../../forms/said.tsx";
import { useAction } from "../../forms/use-action.ts";
import { Instant } from "../../parts/instant.tsx";
import { nameProvider } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columnsOf = (changed: () => void): readonly Column<ProviderApp>[] => [
  { name: "Provider", cell: ({ source }) => nameProvider(source) },
  { name: "Client id", cell: ({ client_id }) => <code>{client_id ?? "–"}</code> },
  {
    name: "SHA-256 of the secret",
    isWide: true,
    cell: ({ client_secret_hash }) => <code>{client_secret_hash?.slice(0, 16) ?? "–"}…</code>,
  },
  { name: "Changed", isWide: true, cell: ({ updated_at }) => <Instant at={updated_at} /> },
  {
    name: "Action",
    cell: ({ id, source }) => (
      <ConfirmButton
        label="Delete"
        fullLabel={`Delete the application of ${source}`}
        question="Delete this application?"
        isItem
        act={async () => {
          await deleteApp(id);
          changed();
        }}
      >
        New connections use the application of the deployment, if it has one.
      </ConfirmButton>
    ),
  },
];

/** The team's own applications at providers. Secrets go in and never come out. */
export function ProviderApps() {
  const load = useLoad("provider apps", listApps);
  return (
    <Section title="Provider applications" note="Secrets are stored encrypted. Nobody can read them again.">
      <Loaded load={load} lines={2}>
        {({ rows: apps }) =>
          apps.length === 0 ? (
            <Empty title="The team has no application of its own">
              Its users connect through those of the deployment.
            </Empty>
          ) : (
            <Table label="Applications" columns={columnsOf(load.reload)} rows={apps} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <AppForm saved={load.reload} />
    </Section>
  );
}

function AppForm({ saved }: { readonly saved: () => void }) {
  const action = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const target = event.currentTarget as HTMLFormElement;
    const form = new FormData(target);
    const text = (name: string) => fieldText(form, name);
    if (!(await action.run(() => setApp(text("provider"), text("client"), text("secret")), "Saved."))) return;
    target.reset();
    saved();
  };
  return (
    <form class="row fields" onSubmit={submit} autoComplete="off">
      <Field label="Provider">
        <input name="provider" required placeholder="oura" spellcheck={false} />
      </Field>
      <Field label="Client id">
        <input name="client" required spellcheck={false} />
      </Field>
      <Field label="Client secret">
        <input name="secret" type="password" required autoComplete="off" />
      </Field>
      <button type="submit" disabled={action.isBusy}>
        Set
      </button>
      <Said action={action} />
    </form>
  );
}
