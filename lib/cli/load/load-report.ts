import type { LoadResult } from "./run-load.ts";

/** The results of one kind of request. Latencies are milliseconds. */
export interface LoadRow {
  readonly step: string;
  readonly requests: number;
  /** Requests with another status than 2xx. */
  readonly errors: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The value below which a share of sorted values lies (nearest rank). */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** Summarizes results by the kind of request, in the order of their names. */
export function summarizeLoad(results: readonly LoadResult[]): LoadRow[] {
  const rows = [...Map.groupBy(results, ({ step }) => step)].map(([step, ofIt]) => {
    const sorted = ofIt.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
    const errors = ofIt.filter(({ status }) => status < 200 || status > 299).length;
    const at = (share: number) => percentile(sorted, share);
    return { step, requests: ofIt.length, errors, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
  });
  return rows.toSorted((a, b) => (a.step < b.step ? -1 : 1));
}

/** Formats rows as a Markdown table. */
export function formatLoad(rows: readonly LoadRow[]): string {
  const lines = rows.map(({ step, requests, errors, ...times }) => {
    const ms = [times.p50, times.p95, times.p99, times.max].map((value) => value.toFixed(0));
    return `| ${[step, requests, errors, ...ms].join(" | ")} |`;
  });
  return [
    "| Request | Sent | Errors | p50 (ms) | p95 | p99 | Longest |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...lines,
  ].join("\n");
}

const [WIDTH, ROW_HEIGHT, LEFT, RIGHT, TOP] = [720, 30, 130, 90, 48];

/** Draws p50, p95 and p99 of each kind of request as an SVG. */
export function drawLoad(title: string, rows: readonly LoadRow[]): string {
  const scale = (WIDTH - LEFT - RIGHT) / Math.max(1, ...rows.map(({ p99 }) => p99));
  const drawn = rows.map(({ step, p50, p95, p99 }, place) => {
    const y = TOP + place * ROW_HEIGHT;
    const bar = (ms: number, colour: string) =>
      `<rect x="${LEFT}" y="${y}" width="${(ms * scale).toFixed(1)}" height="18" fill="${colour}"/>`;
    const label = `<text x="${LEFT - 8}" y="${y + 14}" text-anchor="end">${step}</text>`;
    const end = `<text x="${(LEFT + p99 * scale + 6).toFixed(1)}" y="${y + 14}">${p99.toFixed(0)} ms</text>`;
    return label + bar(p99, "#bfd4e4") + bar(p95, "#7fa9c9") + bar(p50, "#2f6f9f") + end;
  });
  const height = TOP + rows.length * ROW_HEIGHT + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600">${title}</text>`,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}
