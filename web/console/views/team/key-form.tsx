import { Dialog } from "../../forms/dialog.tsx";
import { Field, fieldText } from "../../forms/field.tsx";
import { SubmitRow } from "../../forms/submit-row.tsx";
import { useAction } from "../../forms/use-action.ts";

/** Scopes of keys, in the order of the documentation. */
const SCOPES = {
  read: "read users and their data",
  ingest: "send data",
  link: "connect users to providers",
  labs: "lab tests, orders and results",
  webhooks: "events and webhooks",
  users: "create, change and delete users",
} as const;

interface KeyFormProps {
  /** @param scopes undefined for full access. */
  readonly save: (label: string, scopes: readonly string[] | undefined) => Promise<unknown>;
  readonly close: () => void;
}

/** A new key: its label and its scopes, in a dialog. */
export function KeyForm({ save, close }: KeyFormProps) {
  const action = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const scopes = form.getAll("scope").map(String);
    const label = fieldText(form, "label");
    if (await action.run(() => save(label, scopes.length === 0 ? undefined : scopes))) close();
  };
  return (
    <Dialog title="Create a key" close={close}>
      <form class="form" onSubmit={submit} autoComplete="off">
        <Field label="Label" hint="Where the key is used, such as the name of a service.">
          <input name="label" required maxLength={100} />
        </Field>
        <fieldset class="bare stack">
          <legend class="small">Rights. Without a choice the key has full access.</legend>
          <div class="checks">
            {Object.entries(SCOPES).map(([scope, words]) => (
              <label key={scope} class="check">
                <input type="checkbox" name="scope" value={scope} />
                <span>
                  <strong>{scope}</strong>: {words}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <SubmitRow action={action} label="Create" close={close} />
      </form>
    </Dialog>
  );
}
