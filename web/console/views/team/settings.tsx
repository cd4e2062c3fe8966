import { teamFeatures } from "../../../../lib/domain/management/team-features.ts";
import { changeSettings, getSettings, type Settings } from "../../api/settings.ts";
import { useLoad } from "../../api/use-load.ts";
import { Said } from "../../forms/said.tsx";
import { useAction } from "../../forms/use-action.ts";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";

/** The switches of the team: its flags and its opt-in features. An admin changes them. */
export function SettingsForm() {
  const load = useLoad("settings", getSettings);
  return (
    <Section title="Features and flags" note="The API applies a change within a minute.">
      <Loaded load={load}>{(settings) => <Switches settings={settings} changed={load.reload} />}</Loaded>
    </Section>
  );
}

/** What the form says otherwise than the settings that it was loaded with. The rest may have changed since. */
function changesOf(
  settings: Settings,
  flags: readonly (readonly [string, unknown])[],
  form: FormData,
): Parameters<typeof changeSettings>[0] {
  const chosen = form.getAll("features").map(String);
  const merge = form.get("source_merge");
  return {
    flags: {
      ...Object.fromEntries(flags.map(([name]) => [name, form.has(name)]).filter(([n, on]) => settings[`${n}`] !== on)),
      ...(merge === settings.source_merge ? {} : { source_merge: merge }),
    },
    enabled: chosen.filter((feature) => !settings.features.includes(feature)),
    disabled: teamFeatures.filter((feature) => settings.features.includes(feature) && !chosen.includes(feature)),
  };
}

interface SwitchesProps {
  readonly settings: Settings;
  readonly changed: () => void;
}

function Switches({ settings, changed }: SwitchesProps) {
  const action = useAction();
  const flags = Object.entries(settings).filter(([, value]) => typeof value === "boolean");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const changes = changesOf(settings, flags, new FormData(event.currentTarget as HTMLFormElement));
    if (await action.run(() => changeSettings(changes), "Saved.")) changed();
  };
  return (
    <form class="form" onSubmit={submit}>
      <fieldset class="bare stack">
        <legend class="hidden">Features</legend>
        <div class="checks">
          {teamFeatures.map((feature) => (
            <Switch key={feature} name="features" value={feature} isOn={settings.features.includes(feature)} />
          ))}
          {flags.map(([name, value]) => (
            <Switch key={name} name={name} isOn={value === true} />
          ))}
        </div>
      </fieldset>
      <div class="row">
        <label class="row">
          Queries that name no rule merge sources
          <select name="source_merge" defaultValue={String(settings.source_merge)}>
            {["strict", "interval"].map((rule) => (
              <option key={rule} value={rule} selected={rule === settings.source_merge}>
                {rule}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={action.isBusy}>
          Save
        </button>
        <Said action={action} />
      </div>
    </form>
  );
}

interface SwitchProps {
  readonly name: string;
  readonly value?: string;
  readonly isOn: boolean;
}

const Switch = ({ name, value = "on", isOn }: SwitchProps) => (
  <label class="check">
    <input type="checkbox" name={name} value={value} defaultChecked={isOn} />
    <span>{humanize(value === "on" ? name : value)}</span>
  </label>
);
