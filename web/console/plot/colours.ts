/** Number of colours of layers. */
const COLOURS = 6;

/** The custom property of the colour of a layer. */
export const layerColour = (index: number) => `--layer-${(index % COLOURS) + 1}`;

/** The present value of a colour, for a canvas, which knows no custom properties. */
export const colourValue = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A colour with a part of its opacity. */
export const translucent = (name: string, part: number) =>
  `color-mix(in srgb, ${colourValue(name)} ${Math.round(part * 100)}%, transparent)`;
