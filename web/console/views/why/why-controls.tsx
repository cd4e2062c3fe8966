import type { MergeRule } from "../../api/aggregate.ts";
import { type Measure, measures } from "../../parts/measures.ts";
import { addDays } from "../../parts/time.ts";

interface WhyControlsProps {
  readonly measure: Measure;
  readonly day: string;
  readonly merge: MergeRule;
  readonly setMerge: (merge: MergeRule) => void;
  readonly go: (measure: string, day: string) => void;
}

/** Chooses the number, the day and the rule by which sources are merged. */
export function WhyControls({ measure, day, merge, setMerge, go }: WhyControlsProps) {
  return (
    <div class="row">
      <select aria-label="Number" value={measure.name} onChange={(event) => go(event.currentTarget.value, day)}>
        {measures.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" aria-label="Day before" onClick={() => go(measure.name, addDays(day, -1))}>
        ←
      </button>
      <input
        type="date"
        aria-label="Day"
        value={day}
        onChange={(event) => event.currentTarget.value && go(measure.name, event.currentTarget.value)}
      />
      <button type="button" aria-label="Day after" onClick={() => go(measure.name, addDays(day, 1))}>
        →
      </button>
      <select
        aria-label="Merge rule"
        value={merge}
        onChange={(event) => setMerge(event.currentTarget.value as MergeRule)}
      >
        <option value="team">Rule of the team</option>
        <option value="strict">Best source alone (strict)</option>
        <option value="interval">Each interval once (interval)</option>
      </select>
    </div>
  );
}
