/** One bar of a chart. */
export interface ChartBar {
  readonly label: string;
  readonly value: number;
}

/** One line of a chart, its points sorted by x. */
export interface ChartLine {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const WIDTH = 720;
const BAR_HEIGHT = 26;
const LEFT = 190;
const RIGHT = 90;
const TOP = 44;
const COLOURS = ["#2f6f9f", "#c2703d", "#4d8a4a"];

const text = (x: number, y: number, content: string, more = "") =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;

function svg(height: number, title: string, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(16, 24, title, 'font-size="15" font-weight="600"'),
    ...content,
    "</svg>\n",
  ].join("\n");
}

/** Draws horizontal bars on a logarithmic axis that starts at `least`. */
export function barChart(title: string, bars: readonly ChartBar[], unit: string, least: number): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const scale = (WIDTH - LEFT - RIGHT) / Math.log(most / least);
  const rows = bars.map(({ label, value }, index) => {
    const y = TOP + index * BAR_HEIGHT;
    const width = Math.max(1, Math.log(value / least) * scale);
    const colour = COLOURS[label.startsWith("one item") ? 1 : 0];
    return [
      text(LEFT - 8, y + 15, label, 'text-anchor="end"'),
      `<rect x="${LEFT}" y="${y + 2}" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 8}" fill="${colour}"/>`,
      text(LEFT + width + 6, y + 15, `${value.toPrecision(3)} ${unit}`),
    ].join("\n");
  });
  return svg(TOP + bars.length * BAR_HEIGHT + 16, title, rows);
}

const CHART_HEIGHT = 320;

/** Draws lines over two logarithmic axes. */
export function lineChart(
  title: string,
  lines: readonly ChartLine[],
  axes: { readonly x: string; readonly y: string },
): string {
  const all = lines.flatMap(({ points }) => points);
  const [lowX, highX] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const highY = Math.max(...all.map(([, y]) => y)) * 4;
  const lowY = Math.min(...all.map(([, y]) => y)) / 4;
  const place = (value: number, low: number, high: number) => Math.log(value / low) / Math.log(high / low);
  const px = (x: number) => 80 + place(x, lowX, highX) * (WIDTH - 260);
  const py = (y: number) => CHART_HEIGHT - 50 - place(y, lowY, highY) * (CHART_HEIGHT - 110);
  const drawn = lines.map(({ label, points }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" ");
    const last = points.at(-1) ?? [1, 1];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>\n${text(px(last[0]) + 8, py(last[1]) + 4, label, `fill="${colour}"`)}`;
  });
  const ticks = [...new Set(all.map(([x]) => x))].map((x) =>
    text(px(x), CHART_HEIGHT - 30, x.toLocaleString("en"), 'text-anchor="middle" fill="#555555"'),
  );
  const axis = `<path d="M80 60V${CHART_HEIGHT - 50}H${WIDTH - 170}" fill="none" stroke="#999999"/>`;
  const names = [
    text(80, 50, axes.y, 'fill="#555555"'),
    text(WIDTH - 170, CHART_HEIGHT - 10, axes.x, 'text-anchor="end" fill="#555555"'),
  ];
  return svg(CHART_HEIGHT, title, [axis, ...names, ...ticks, ...drawn]);
}
