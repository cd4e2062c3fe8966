/** One bar of a row of bars: its parts from the bottom up. */
interface Bar {
  readonly key: string | number;
  /** What the bar says, as a tooltip. */
  readonly title: string;
  readonly parts: readonly { readonly tone: "good" | "bad" | "plain"; readonly value: number }[];
}

/** Height of the tallest bar in units of the drawing. */
const HEIGHT = 60;

interface BarsProps {
  readonly bars: readonly Bar[];
  /** What all bars say together, below them and for screen readers. */
  readonly words: string;
  /** Texts at the first and at the last bar. */
  readonly ends: readonly [first: string, last: string];
}

const sumOf = ({ parts }: Bar) => parts.reduce((total, { value }) => total + value, 0);

/** Numbers over time as bars of one scale. */
export function Bars({ bars, words, ends }: BarsProps) {
  const most = Math.max(...bars.map(sumOf)) || 1;
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        {bars.map((bar, place) => (
          <OneBar key={bar.key} bar={bar} place={place} scale={HEIGHT / most} />
        ))}
      </svg>
      <figcaption class="quiet small">
        <span>{ends[0]}</span>
        <span>{words}</span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}

interface OneBarProps {
  readonly bar: Bar;
  readonly place: number;
  readonly scale: number;
}

function OneBar({ bar, place, scale }: OneBarProps) {
  let top = HEIGHT;
  return (
    <g>
      <title>{bar.title}</title>
      <rect class="bar-room" x={place} y={0} width={1} height={HEIGHT} />
      {bar.parts.map(({ tone, value }) => {
        top -= value * scale;
        return value === 0 ? null : (
          <rect key={tone} class={`bar-${tone}`} x={place + 0.1} y={top} width={0.8} height={value * scale} />
        );
      })}
    </g>
  );
}
