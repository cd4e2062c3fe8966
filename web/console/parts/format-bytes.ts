const UNITS = ["B", "KB", "MB", "GB", "TB"];
const STEP = 1_000;

/** Formats a size with a decimal unit: `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const level = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${(bytes / STEP ** level).toLocaleString("en", { maximumFractionDigits: 1 })}\u00a0${UNITS[level]}`;
}
