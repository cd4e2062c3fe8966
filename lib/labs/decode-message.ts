/** Encodings by the names of HL7 (table 0211 "Alternate character sets"). Other names are those of the Encoding Standard. */
const encodings: Readonly<Record<string, string>> = {
  ASCII: "utf-8",
  "UNICODE UTF-8": "utf-8",
  "UNICODE UTF-16": "utf-16be",
  "GB 18030-2000": "gb18030",
  "BIG-5": "big5",
};

const LATIN = /^8859\/(\d{1,2})$/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;
/** Place of the character set in a header segment, whose first field is the separator itself. */
const CHARACTER_SET_FIELD = 18;

/**
 * Decodes a message of a laboratory: by the charset of its content type, else as UTF-8, else by MSH-18.
 * @throws TypeError for bytes that do not fit the encoding; RangeError for an unknown encoding.
 */
export function decodeMessage(raw: Uint8Array, contentType = ""): string {
  const stated = CHARSET.exec(contentType)?.[1];
  if (stated !== undefined) return decode(raw, stated);
  try {
    return decode(raw, "utf-8");
  } catch (error) {
    const declared = declaredIn(raw);
    if (declared === undefined) throw error;
    return decode(raw, declared);
  }
}

const decode = (raw: Uint8Array, encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(raw);

/** The encoding that MSH-18 declares. The header itself is ASCII. */
function declaredIn(raw: Uint8Array): string | undefined {
  const header = /MSH(.)[^\r\n]*/.exec(Buffer.from(raw).toString("latin1"));
  const [name = ""] = header?.[0].split(header[1] ?? "")[CHARACTER_SET_FIELD - 1]?.split("~") ?? [];
  const latin = LATIN.exec(name)?.[1];
  return latin ? `iso-8859-${latin}` : encodings[name.toUpperCase()];
}
