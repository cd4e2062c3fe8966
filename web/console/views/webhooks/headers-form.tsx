import { type CustomHeaders, getHeaders, setHeaders } from "../../api/endpoints.ts";
import { Problem } from "../../api/request.ts";
import { useLoad } from "../../api/use-load.ts";
import { Dialog } from "../../forms/dialog.tsx";
import { Field, fieldText } from "../../forms/field.tsx";
import { SubmitRow } from "../../forms/submit-row.tsx";
import { useAction } from "../../forms/use-action.ts";
import { Loaded } from "../../parts/states.tsx";

interface HeadersFormProps {
  readonly endpointId: string;
  readonly close: () => void;
}

/** The custom headers of an endpoint, in a dialog. */
export function HeadersForm({ endpointId, close }: HeadersFormProps) {
  const load = useLoad(`headers ${endpointId}`, (signal) => getHeaders(endpointId, signal));
  return (
    <Dialog title="Headers of each request" close={close}>
      <Loaded load={load} lines={3}>
        {(known) => <Lines known={known} endpointId={endpointId} close={close} />}
      </Loaded>
    </Dialog>
  );
}

/** Reads lines such as `Name: value`. @throws Problem for any other line. */
function parseHeaderLines(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Problem(`Write "Name: value" on each line, not "${line.slice(0, 60)}".`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

function Lines({ known, endpointId, close }: HeadersFormProps & { readonly known: CustomHeaders }) {
  const action = useAction();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const text = fieldText(new FormData(event.currentTarget as HTMLFormElement), "lines");
    if (await action.run(async () => setHeaders(endpointId, parseHeaderLines(text)))) close();
  };
  const masked = known.sensitive.length > 0;
  return (
    <form class="form" onSubmit={submit} autoComplete="off">
      <Field
        label="Headers"
        hint={`One on each line, as "Name: value".${masked ? " Enter hidden values again: saving replaces all headers." : ""}`}
      >
        <textarea
          name="lines"
          rows={6}
          spellcheck={false}
          defaultValue={Object.entries(known.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        />
      </Field>
      <SubmitRow action={action} label="Save" close={close} />
    </form>
  );
}
