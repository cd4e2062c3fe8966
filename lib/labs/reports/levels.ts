import type { GreyImage } from "./grey-image.ts";

/** What is no darker than this on flattened paper is paper: its grain would be taken for the contrast of print. */
const PAPER = 205;
/** The share of the darkest pixels that tells how dark ink is, and the lightest that ink is taken to be. */
const INK_SHARE = 0.01;
const LIGHTEST_INK = 120;

/** Makes paper white and ink black in place, with the shades of edges between them. */
export function spreadLevels({ pixels }: GreyImage): void {
  const ink = Math.min(inkOf(pixels), LIGHTEST_INK);
  const shades = Uint8Array.from({ length: 256 }, (_, shade) =>
    Math.min(255, Math.max(0, ((shade - ink) * 255) / (PAPER - ink))),
  );
  for (let at = 0; at < pixels.length; at++) pixels[at] = shades[pixels[at]!]!;
}

function inkOf(pixels: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const shade of pixels) counts[shade]!++;
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= pixels.length * INK_SHARE;
  });
}
