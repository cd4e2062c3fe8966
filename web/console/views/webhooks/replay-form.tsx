import { useState } from "preact/hooks";
import { getTask, type ReplayTask, recover, replayMissing } from "../../api/endpoints.ts";
import type { Endpoint } from "../../api/webhooks.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { Said } from "../../forms/said.tsx";
import { useAction } from "../../forms/use-action.ts";
import { useZone } from "../../parts/instant.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { zonedInstant } from "../../parts/time.ts";

/** How often the progress of a task is read. */
const POLL_MS = 1_500;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface ReplayFormProps {
  readonly endpoint: Endpoint;
  /** Called when a task has ended. */
  readonly done: () => void;
}

/** Sends many messages again: those that failed in a range, or those that the endpoint never received. */
export function ReplayForm({ endpoint, done }: ReplayFormProps) {
  const zone = useZone();
  const action = useAction();
  const [task, setTask] = useState<ReplayTask>();
  const start = async (form: FormData) => {
    const at = (name: string) => zonedInstant(fieldText(form, name), zone);
    const since = at("since") ?? "";
    const isMissing = fieldText(form, "what") === "missing";
    let current = isMissing ? await replayMissing(endpoint.id, since) : await recover(endpoint.id, since, at("until"));
    for (; isOpen(current); current = await getTask(endpoint.id, current.id)) {
      setTask(current);
      await sleep(POLL_MS);
    }
    setTask(current);
    done();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setTask(undefined);
    void action.run(() => start(form));
  };
  return (
    <Section title="Replay" note="At most 30 messages a second, each with its id and the current data.">
      <form class="row fields" onSubmit={submit}>
        <Field label="What">
          <select name="what">
            <option value="failed">failed messages</option>
            <option value="missing">events it never received</option>
          </select>
        </Field>
        <Field label="Since">
          <input name="since" type="datetime-local" required />
        </Field>
        <Field label="Until, for failed messages">
          <input name="until" type="datetime-local" />
        </Field>
        <button type="submit" disabled={action.isBusy || endpoint.disabled}>
          Replay
        </button>
        {task ? <TaskLine task={task} /> : null}
        <Said action={action} />
      </form>
    </Section>
  );
}

const isOpen = ({ state }: ReplayTask) => state === "pending" || state === "running";

const TaskLine = ({ task }: { readonly task: ReplayTask }) => (
  <span class="quiet small" role="status">
    {isOpen(task) ? "Running" : task.state === "done" ? "Done" : "Stopped"}: {formatNumber(task.sent)} sent of{" "}
    {formatNumber(task.looked_at)} examined.
  </span>
);
