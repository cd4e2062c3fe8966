import type { GreyImage } from "./grey-image.ts";

/** Lightest shade below paper on an evenly lit page. Lighter grain would count as contrast. */
const PAPER = 205;
/** Quantile of the darkest pixels that measures the shade of ink, and the lightest shade of ink. */
const INK_SHARE = 0.01;
const LIGHTEST_INK = 120;

/** Stretches the contrast in place: paper becomes white, ink black, and edges keep their shades. */
export function stretchContrast({ pixels }: GreyImage): void {
  const ink = Math.min(inkShade(pixels), LIGHTEST_INK);
  const shades = Uint8Array.from({ length: 256 }, (_, shade) =>
    Math.min(255, Math.max(0, ((shade - ink) * 255) / (PAPER - ink))),
  );
  for (let at = 0; at < pixels.length; at++) pixels[at] = shades[pixels[at]!]!;
}

function inkShade(pixels: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const shade of pixels) counts[shade]!++;
  let seen = 0;
  return counts.findIndex((count) => {
    seen += count;
    return seen >= pixels.length * INK_SHARE;
  });
}
