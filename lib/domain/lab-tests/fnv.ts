const BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const BITS = 64;

/** A 64-bit number that stands for a text (FNV-1a); not for secrets. */
export function fnv1a(text: string): bigint {
  let hash = BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(BITS, (hash ^ BigInt(byte)) * PRIME);
  return hash;
}
