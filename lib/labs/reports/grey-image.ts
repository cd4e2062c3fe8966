/** An image in shades of grey, a byte a pixel, row by row from the top; 0 is black. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** An image of a page with its resolution in dots per inch. */
export interface PageImage extends GreyImage {
  readonly dpi: number;
}

/** A box of pixels; right and bottom are beyond it. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A white image. */
export function whiteImage(width: number, height: number): GreyImage {
  return { width, height, pixels: new Uint8Array(width * height).fill(255) };
}

/** Grey of red, green and blue as the eye weighs them. */
export const greyOf = (red: number, green: number, blue: number) => (red * 77 + green * 151 + blue * 28) >> 8;

/** Grey of bytes that hold one to four channels a pixel: grey, grey and opacity, colours, colours and opacity. */
export function greyImage(width: number, height: number, data: ArrayLike<number>, channels: number): GreyImage {
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at++, from += channels) {
    const grey = channels < 3 ? data[from]! : greyOf(data[from]!, data[from + 1]!, data[from + 2]!);
    const opacity = channels % 2 === 0 ? data[from + channels - 1]! : 255;
    pixels[at] = opacity === 255 ? grey : (255 - ((255 - grey) * opacity) / 255) | 0;
  }
  return { width, height, pixels };
}

/** The shade that so many pixels do not exceed, by how many there are of each shade. */
export function shadeAt(shades: Uint32Array, count: number): number {
  let seen = 0;
  for (let shade = 0; shade < 256; shade++) {
    seen += shades[shade]!;
    if (seen >= count) return shade;
  }
  return 255;
}

/** The upright image of one that is stored with an EXIF orientation (1 to 8); others than these are left as they are. */
export function turned(image: GreyImage, orientation: number): GreyImage {
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

/** From where a pixel of the upright image is taken, by the EXIF orientation of the stored one. */
const turns: Readonly<Record<number, ReturnType<typeof turn>>> = {
  2: turn(false, true, false),
  3: turn(false, true, true),
  4: turn(false, false, true),
  5: turn(true, false, false),
  6: turn(true, true, false),
  7: turn(true, true, true),
  8: turn(true, false, true),
};
