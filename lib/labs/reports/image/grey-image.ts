/** A greyscale image with one byte per pixel, row by row from the top; 0 is black. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A page image with its resolution in dots per inch. */
export interface PageImage extends GreyImage {
  readonly dpi: number;
}

/** A box of pixels; `right` and `bottom` are exclusive. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A white image. */
export function createWhiteImage(width: number, height: number): GreyImage {
  return { width, height, pixels: new Uint8Array(width * height).fill(255) };
}

/** The luminance of an RGB colour. */
const toGrey = (red: number, green: number, blue: number) => (red * 77 + green * 151 + blue * 28) >> 8;

/** Converts bytes with one to four channels per pixel to greyscale: grey, grey and alpha, RGB, RGBA. */
export function toGreyImage(width: number, height: number, data: ArrayLike<number>, channels: number): GreyImage {
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at++, from += channels) {
    const grey = channels < 3 ? data[from]! : toGrey(data[from]!, data[from + 1]!, data[from + 2]!);
    const opacity = channels % 2 === 0 ? data[from + channels - 1]! : 255;
    pixels[at] = opacity === 255 ? grey : (255 - ((255 - grey) * opacity) / 255) | 0;
  }
  return { width, height, pixels };
}

/** The shade that this many pixels do not exceed, by the histogram of shades. */
export function shadeAtCount(shades: Uint32Array, count: number): number {
  let seen = 0;
  for (let shade = 0; shade < 256; shade++) {
    seen += shades[shade]!;
    if (seen >= count) return shade;
  }
  return 255;
}

/** Applies an EXIF orientation (1 to 8). Other values leave the image as it is. */
export function applyOrientation(image: GreyImage, orientation: number): GreyImage {
  const turn = turns[orientation];
  if (turn === undefined) return image;
  const { isSideways, isFlippedX, isFlippedY } = turn;
  const width = isSideways ? image.height : image.width;
  const height = isSideways ? image.width : image.height;
  const pixels = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const column = isFlippedX ? width - 1 - x : x;
      const row = isFlippedY ? height - 1 - y : y;
      pixels[to] = image.pixels[isSideways ? column * image.width + row : row * image.width + column]!;
    }
  }
  return { width, height, pixels };
}

const turn = (isSideways: boolean, isFlippedX: boolean, isFlippedY: boolean) => ({
  isSideways,
  isFlippedX,
  isFlippedY,
});

/** Transformations by EXIF orientation. */
const turns: Readonly<Record<number, ReturnType<typeof turn>>> = {
  2: turn(false, true, false),
  3: turn(false, true, true),
  4: turn(false, false, true),
  5: turn(true, false, false),
  6: turn(true, true, false),
  7: turn(true, true, true),
  8: turn(true, false, true),
};
