import type { EndpointSettings } from "../../api/endpoints.ts";
import type { Endpoint } from "../../api/webhooks.ts";
import { Dialog } from "../../forms/dialog.tsx";
import { Field, fieldText } from "../../forms/field.tsx";
import { SubmitRow } from "../../forms/submit-row.tsx";
import { useAction } from "../../forms/use-action.ts";

const FORMATS = {
  json: "JSON: the body of the event",
  cloudevents_structured: "CloudEvents 1.0, structured",
  cloudevents_binary: "CloudEvents 1.0, binary",
} as const;

function readSettings(form: FormData): EndpointSettings {
  const text = (name: string) => fieldText(form, name);
  const types = text("types")
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    url: text("url"),
    description: text("description"),
    filter_types: types.length === 0 ? null : types,
    rate_limit: text("rate") === "" ? null : Number(text("rate")),
    format: text("format"),
  };
}

/** The settings that differ from those of the endpoint when the form opened. The others may have changed since. */
export function changesOf(endpoint: Endpoint, settings: EndpointSettings): Partial<EndpointSettings> {
  const { url, description, filter_types, rate_limit, format } = endpoint;
  const types = filter_types.length === 0 ? null : filter_types;
  const before: EndpointSettings = { url, description: description ?? "", filter_types: types, rate_limit, format };
  const names = Object.keys(before) as (keyof EndpointSettings)[];
  const isChanged = (name: keyof EndpointSettings) => JSON.stringify(before[name]) !== JSON.stringify(settings[name]);
  return Object.fromEntries(names.filter(isChanged).map((name) => [name, settings[name]]));
}

interface EndpointFormProps {
  readonly title: string;
  /** The endpoint to change; without it the form creates one. */
  readonly endpoint?: Endpoint;
  readonly save: (settings: EndpointSettings) => Promise<unknown>;
  readonly close: () => void;
}

/** The settings of an endpoint, in a dialog. */
export function EndpointForm({ title, endpoint, save, close }: EndpointFormProps) {
  const action = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const settings = readSettings(new FormData(event.currentTarget as HTMLFormElement));
    if (await action.run(() => save(settings))) close();
  };
  return (
    <Dialog title={title} close={close}>
      <form class="form" onSubmit={submit} autoComplete="off">
        <Field label="URL" hint="HTTPS on port 443 or 8443, with a public address.">
          <input name="url" type="url" required maxLength={2_000} defaultValue={endpoint?.url ?? ""} />
        </Field>
        <Field label="Description">
          <input name="description" maxLength={1_000} defaultValue={endpoint?.description ?? ""} />
        </Field>
        <Field label="Event types" hint="One on each line. Empty for all.">
          <textarea name="types" rows={3} spellcheck={false} defaultValue={endpoint?.filter_types.join("\n") ?? ""} />
        </Field>
        <Field label="Most attempts a second" hint="Empty for no limit.">
          <input name="rate" type="number" min={1} max={10_000} defaultValue={String(endpoint?.rate_limit ?? "")} />
        </Field>
        <Field label="Format">
          <select name="format" defaultValue={endpoint?.format ?? "json"}>
            {Object.entries(FORMATS).map(([format, words]) => (
              <option key={format} value={format} selected={format === (endpoint?.format ?? "json")}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <SubmitRow action={action} label={endpoint ? "Save" : "Create"} close={close} />
      </form>
    </Dialog>
  );
}
