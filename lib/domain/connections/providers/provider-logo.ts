import type { Provider } from "./providers.ts";

const SIZE = 96;
const DEGREES = 360;
/** Hue step between neighbours in the list: the golden angle, so that neighbours differ clearly. */
const HUE_STEP = 137;

/**
 * Draws a neutral SVG icon of a provider: its initials on its own colour. The trademarks of providers are not used.
 * @param place index of the provider in the list, which determines the colour.
 */
export function drawProviderLogo({ name }: Provider, place: number): string {
  const initials = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join("");
  const hue = (place * HUE_STEP) % DEGREES;
  const middle = SIZE / 2;
  const text = `x="${middle}" y="${middle}" font-family="system-ui, sans-serif" font-size="40" font-weight="600" fill="#fff"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img"><title>${name}</title>`,
    `<rect width="${SIZE}" height="${SIZE}" rx="20" fill="hsl(${hue} 45% 38%)"/>`,
    `<text ${text} text-anchor="middle" dominant-baseline="central">${initials}</text></svg>`,
  ].join("");
}
