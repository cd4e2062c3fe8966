import { FitBaseType, FitEncoder } from "fit-file-parser";

/** Sizes of base types in bytes. */
const sizes = { Enum: 1, Uint8: 1, Uint16: 2, Sint16: 2, Sint32: 4, Uint32: 4, Float32: 4 } as const;

/** A field: its number in the FIT profile, base type and scaled value. */
export type FitField = readonly [number: number, type: keyof typeof sizes, value: number];

/** Seconds of the FIT clock, which starts on 1989-12-31. */
export const fitTime = (iso: string): number => FitEncoder.toFitTimestamp(new Date(iso));

/** Encodes a FIT file from messages: global number and fields. */
export function encodeFit(...messages: readonly (readonly [global: number, ...fields: FitField[]])[]): Uint8Array {
  const encoder = new FitEncoder();
  messages.forEach(([global, ...fields], index) => {
    const written = fields.map(([number, type, value]) => {
      return { number, size: sizes[type], baseType: FitBaseType[type], value };
    });
    encoder.writeMessage(global, written, index % 16);
  });
  return encoder.close();
}
