import { setPriority } from "../../api/settings.ts";
import { listPriorities, type SourcePriority } from "../../api/team.ts";
import { useLoad } from "../../api/use-load.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Said } from "../../forms/said.tsx";
import { useAction } from "../../forms/use-action.ts";
import { humanize, nameProvider } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const columns: readonly Column<SourcePriority>[] = [
  { name: "Data", cell: ({ data_type }) => humanize(data_type) },
  { name: "Provider", cell: ({ provider }) => nameProvider(provider) },
  { name: "Priority", isNumber: true, cell: ({ priority }) => priority },
];

/** The ranks of providers, and a form that changes one. */
export function Priorities({ mayChange }: { readonly mayChange: boolean }) {
  const load = useLoad("priorities", listPriorities);
  return (
    <Section title="Source priorities" note="Of two sources of one type, the larger priority counts. The default is 0.">
      <Loaded load={load} lines={2}>
        {(all) => {
          const priorities = all.filter(({ priority }) => priority !== 0);
          return (
            <>
              {priorities.length === 0 ? (
                <Empty title="All sources have the default priority" />
              ) : (
                <Table
                  label="Priorities"
                  columns={columns}
                  rows={priorities}
                  keyOf={({ data_type, provider }) => `${data_type} ${provider}`}
                />
              )}
              {mayChange ? <PriorityForm all={all} changed={load.reload} /> : null}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface PriorityFormProps {
  readonly all: readonly SourcePriority[];
  readonly changed: () => void;
}

function PriorityForm({ all, changed }: PriorityFormProps) {
  const action = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [type, provider] = [fieldText(form, "type"), fieldText(form, "provider")];
    const priority = Number(fieldText(form, "priority"));
    if (await action.run(() => setPriority(type, provider, priority), "Saved.")) changed();
  };
  const distinct = (of: (one: SourcePriority) => string) => [...new Set(all.map(of))].toSorted();
  return (
    <form class="row fields" onSubmit={submit}>
      <Field label="Data">
        <Choices name="type" values={distinct(({ data_type }) => data_type)} />
      </Field>
      <Field label="Provider">
        <Choices name="provider" values={distinct(({ provider }) => provider)} />
      </Field>
      <Field label="Priority">
        <input name="priority" type="number" min={0} max={1_000_000} required />
      </Field>
      <button type="submit" disabled={action.isBusy}>
        Set
      </button>
      <Said action={action} />
    </form>
  );
}

const Choices = ({ name, values }: { readonly name: string; readonly values: readonly string[] }) => (
  <select name={name}>
    {values.map((value) => (
      <option key={value} value={value}>
        {humanize(value)}
      </option>
    ))}
  </select>
);
