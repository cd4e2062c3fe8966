/** FIT base types: their code in definition messages and their size in bytes. */
const baseTypes = {
  enum: { code: 0x00, size: 1 },
  uint8: { code: 0x02, size: 1 },
  uint16: { code: 0x84, size: 2 },
  sint32: { code: 0x85, size: 4 },
  uint32: { code: 0x86, size: 4 },
} as const;

/** A field of a message: its number, base type and scaled value. */
export interface FitField {
  readonly number: number;
  readonly type: keyof typeof baseTypes;
  readonly value: number;
}

/** A message: its global message number and its fields. */
export interface FitMessage {
  readonly global: number;
  readonly fields: readonly FitField[];
}

const HEADER_BYTES = 14;
const PROTOCOL = 0x20;
const PROFILE = 2_132;
/** The FIT epoch, 1989-12-31, in Unix seconds. */
const FIT_EPOCH_S = 631_065_600;

/** Converts an instant (epoch ms) to FIT time. */
export function toFitTime(ms: number): number {
  return Math.floor(ms / 1000) - FIT_EPOCH_S;
}

/**
 * Encodes a FIT file, protocol version 2: header, messages and CRC. A definition message precedes the first data
 * message of each kind.
 */
export function encodeFitFile(messages: readonly FitMessage[]): Buffer {
  const defined: string[] = [];
  const parts = messages.flatMap((message) => {
    const shape = definitionKey(message);
    const known = defined.indexOf(shape);
    const local = known === -1 ? defined.push(shape) - 1 : known;
    return known === -1
      ? [encodeDefinition(local, message), encodeMessage(local, message)]
      : [encodeMessage(local, message)];
  });
  const data = Buffer.concat(parts);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(HEADER_BYTES, 0);
  header.writeUInt8(PROTOCOL, 1);
  header.writeUInt16LE(PROFILE, 2);
  header.writeUInt32LE(data.length, 4);
  header.write(".FIT", 8, "latin1");
  header.writeUInt16LE(crc16(header.subarray(0, 12)), 12);
  const whole = Buffer.concat([header, data]);
  const end = Buffer.alloc(2);
  end.writeUInt16LE(crc16(whole));
  return Buffer.concat([whole, end]);
}

function definitionKey({ global, fields }: FitMessage): string {
  return [global, ...fields.map(({ number, type }) => `${number}:${type}`)].join(" ");
}

function encodeDefinition(local: number, { global, fields }: FitMessage): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt8(0x40 | local, 0);
  head.writeUInt16LE(global, 3);
  head.writeUInt8(fields.length, 5);
  const each = fields.map(({ number, type }) => Buffer.from([number, baseTypes[type].size, baseTypes[type].code]));
  return Buffer.concat([head, ...each]);
}

function encodeMessage(local: number, { fields }: FitMessage): Buffer {
  const values = fields.map(({ type, value }) => {
    const { size } = baseTypes[type];
    const bytes = Buffer.alloc(size);
    if (type === "sint32") bytes.writeInt32LE(value);
    else bytes.writeUIntLE(value, 0, size);
    return bytes;
  });
  return Buffer.concat([Buffer.from([local]), ...values]);
}

const crcTable = [
  0x0000, 0xcc01, 0xd801, 0x1400, 0xf001, 0x3c00, 0x2800, 0xe401, 0xa001, 0x6c00, 0x7800, 0xb401, 0x5000, 0x9c01,
  0x8801, 0x4400,
];

/** The CRC-16 of the FIT protocol, computed per nibble. */
function crc16(bytes: Buffer): number {
  const half = (crc: number, nibble: number) => ((crc >> 4) & 0x0fff) ^ crcTable[crc & 0xf]! ^ crcTable[nibble]!;
  return bytes.reduce((crc, byte) => half(half(crc, byte & 0xf), byte >> 4), 0);
}
