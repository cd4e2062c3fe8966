import type { Range } from "../api/series.ts";

/** A stretch of time in a lane. */
export interface Segment extends Range {
  readonly tone: string;
  readonly title: string;
}

/** A row of a day with its stretches. */
export interface Lane {
  readonly key: string;
  readonly label: string;
  readonly segments: readonly Segment[];
}

const WIDTH = 1_000;
const HEIGHT = 20;

interface LanesProps {
  readonly label: string;
  readonly range: Range;
  /** Instants of the ticks with their texts. */
  readonly ticks: readonly (readonly [ms: number, text: string])[];
  readonly lanes: readonly Lane[];
}

/** Rows of stretches on one axis of time. */
export function Lanes({ label, range, ticks, lanes }: LanesProps) {
  const x = (ms: number) =>
    ((Math.min(Math.max(ms, range.from), range.to) - range.from) / (range.to - range.from)) * WIDTH;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form.
    <div class="lanes" role="group" aria-label={label}>
      <div class="lane axis" aria-hidden="true">
        <span />
        <span class="lane-axis">
          {ticks.map(([ms, text]) => (
            <span key={ms} style={{ left: `${x(ms) / (WIDTH / 100)}%` }}>
              {text}
            </span>
          ))}
        </span>
      </div>
      {lanes.map((lane) => (
        <div key={lane.key} class="lane">
          <span class="lane-label">{lane.label}</span>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summaryOf(lane)}>
            {ticks.map(([ms]) => (
              <line key={ms} class="lane-tick" x1={x(ms)} x2={x(ms)} y1={0} y2={HEIGHT} />
            ))}
            {lane.segments.map((segment) => (
              <rect
                key={`${segment.from} ${segment.tone}`}
                class={`segment ${segment.tone}`}
                x={x(segment.from)}
                width={Math.max(x(segment.to) - x(segment.from), 1)}
                y={2}
                height={HEIGHT - 4}
              >
                <title>{segment.title}</title>
              </rect>
            ))}
          </svg>
        </div>
      ))}
    </div>
  );
}

const summaryOf = ({ label, segments }: Lane) => `${label}: ${segments.length} stretches`;
