import { aggregationQuery } from "../../lib/domain/queries/aggregation-query.ts";
import { evaluateQuery } from "../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { SampleRow } from "../../lib/domain/queries/rows/rows.ts";
import { actualSteps, phoneSteps, watchSteps } from "../support/phone-and-watch-day.ts";

const WIDTH = 720;
const LEFT = 96;
const RIGHT = 190;
const LANE_HEIGHT = 92;
const TOP = 64;
const BAR_HEIGHT = 62;
const FIRST_HOUR = 6;
const LAST_HOUR = 24;
const MAX_STEPS = 3_500;
const COLOURS = { phone: "#c2703d", watch: "#2f6f9f" } as const;

type Device = keyof typeof COLOURS;
/** Steps of one hour, counted by one device. */
interface Bar {
  readonly hour: number;
  readonly steps: number;
  readonly device: Device;
  readonly isSetAside?: boolean;
}

const text = (x: number, y: number, content: string, more = "") => `<text x="${x}" y="${y}" ${more}>${content}</text>`;
const x = (hour: number) => LEFT + ((hour - FIRST_HOUR) / (LAST_HOUR - FIRST_HOUR)) * (WIDTH - LEFT - RIGHT);

function hourly(samples: readonly SampleRow[], device: Device): Bar[] {
  const byHour = Map.groupBy(samples, ({ timestamp }) => new Date(timestamp).getUTCHours());
  return [...byHour].map(([hour, of]) => ({
    hour,
    device,
    steps: of.reduce((sum, { value }) => sum + Number(value), 0),
  }));
}

/** The query engine's merged result, hour by hour. */
function merged(): Bar[] {
  const query = aggregationQuery.parse({
    select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
    group_by: [{ date_part: "hour", arg: { index: "timeseries" } }],
  });
  const table = evaluateQuery(
    {
      ...query,
      timeframe: { from: "2026-03-10T00:00:00", to: "2026-03-11T00:00:00" },
      time_zone: "UTC",
      merge: "interval",
    },
    {
      timeseries: { steps: [...phoneSteps, ...watchSteps] },
      summaries: {},
      priorities: { overrides: [], providers: {} },
    },
  );
  const worn = new Set(hourly(watchSteps, "watch").map(({ hour }) => hour));
  return (table["group_key.0"] ?? []).map((hour, row) => {
    const device = worn.has(Number(hour)) ? "watch" : "phone";
    return { hour: Number(hour), steps: Number(table["sum.value"]?.[row]), device };
  });
}

function lane(place: number, name: string, note: string, bars: readonly Bar[]): string[] {
  const base = TOP + place * LANE_HEIGHT + BAR_HEIGHT;
  const total = bars.filter(({ isSetAside }) => !isSetAside).reduce((sum, { steps }) => sum + steps, 0);
  return [
    text(LEFT - 12, base - 6, name, 'text-anchor="end" font-weight="600"'),
    `<path d="M${LEFT} ${base}H${WIDTH - RIGHT}" stroke="#999999"/>`,
    ...bars.map(({ hour, steps, device, isSetAside }) => {
      const height = (steps / MAX_STEPS) * BAR_HEIGHT;
      const style = isSetAside ? `fill="url(#aside)" stroke="${COLOURS[device]}"` : `fill="${COLOURS[device]}"`;
      const width = x(hour + 1) - x(hour) - 2;
      return `<rect x="${(x(hour) + 1).toFixed(1)}" y="${(base - height).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" ${style}/>`;
    }),
    text(WIDTH - RIGHT + 14, base - 22, `${total.toLocaleString("en")} steps`, 'font-weight="600"'),
    text(WIDTH - RIGHT + 14, base - 6, note, 'fill="#555555" font-size="11"'),
  ];
}

/** The figure in docs/query.md: hourly steps of a phone and a watch, and the merged day. */
export function drawMergeFigure(): string {
  const watch = hourly(watchSteps, "watch");
  const worn = new Set(watch.map(({ hour }) => hour));
  const phone = hourly(phoneSteps, "phone").map((bar) => ({ ...bar, isSetAside: worn.has(bar.hour) }));
  const height = TOP + 3 * LANE_HEIGHT + 34;
  const hours = Array.from({ length: (LAST_HOUR - FIRST_HOUR) / 3 + 1 }, (_, index) => FIRST_HOUR + 3 * index);
  const hatch = `<pattern id="aside" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#ffffff"/><path d="M0 0V5" stroke="${COLOURS.phone}" stroke-width="1.5"/></pattern>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    "<title>A day of a phone and a watch, and what is made of both</title>",
    `<defs>${hatch}</defs><rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(16, 26, "A day of a phone and a watch, and what is made of both", 'font-size="15" font-weight="600"'),
    text(
      16,
      46,
      "Steps by the hour. Hatched: the watch covers this time, so the phone is set aside.",
      'fill="#555555"',
    ),
    ...lane(0, "Phone", "where no watch was worn", phone),
    ...lane(1, "Watch", "all that strict answers", watch),
    ...lane(2, "Merged", `each once; the sum: ${actualSteps.sum.toLocaleString("en")}`, merged()),
    ...hours.map((hour) => text(Math.round(x(hour)), height - 14, `${hour}:00`, 'text-anchor="middle" fill="#555555"')),
    "</svg>\n",
  ].join("\n");
}
