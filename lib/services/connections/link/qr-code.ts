/** Quiet zone around a QR code: four modules of two units each. */
const QUIET_ZONE = 8;

/** Draws a text as QR code in SVG, black on white for any page background. The first call loads the library. */
export async function drawQrCode(text: string): Promise<string> {
  const { default: bwip } = await import("bwip-js/generic");
  return bwip.toSVG({ bcid: "qrcode", text, scale: 1, padding: QUIET_ZONE, backgroundcolor: "ffffff" });
}
