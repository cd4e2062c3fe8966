const BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const BITS = 64;

/** 64-bit FNV-1a hash of a text in UTF-8. Not suitable for secrets. */
export function fnv1a(text: string): bigint {
  let hash = BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(BITS, (hash ^ BigInt(byte)) * PRIME);
  return hash;
}
