import type { FuzzRandom } from "./fuzz-random.ts";

const LONG_LENGTH = 3_000;

/** Texts that are known to break software. */
const texts: readonly [string, ...string[]] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\r\nx-injected: 1",
  "\ufeff",
  "\ud800",
  "\udfff\ud800",
  "\u202etxt",
  "e\u0301\u0301\u0301\u0301\u0301\u0301",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "İstanbul ß ſ K",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "true",
  "-0",
  "1e999",
  "0x10",
  "١٢٣",
  "999999999999999999999999",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31T23:59:60Z",
  "+275760-09-13",
  "-271821-04-20T00:00:00Z",
  "2026-05-01T08:00:00+99:99",
  "2026-05-01T08:00:00.123456789Z",
  "10000-01-01",
  "9999-12-31",
  "0001-01-01",
  "../../etc/passwd",
  "..%2f..%2f",
  "%00",
  "%zz",
  "#",
  "a#b#c",
  "org#o",
  "' OR 1=1 --",
  "$(reboot)",
  "$\u007bjndi:ldap://127.0.0.1/a}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "*",
  ".*",
  "(a+)+$",
  "a".repeat(LONG_LENGTH),
  "(".repeat(LONG_LENGTH),
  "😀".repeat(LONG_LENGTH / 4),
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
  "5b1d6f0e-0000-4000-8000-00000000000g",
  "{5b1d6f0e-0000-4000-8000-000000000000}",
  "http://169.254.169.254/latest/meta-data",
  "https://user:pass@example.com:99999/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "Europe/Nowhere",
  "+1".repeat(20),
  "bearer x",
];

const numbers: readonly [number, ...number[]] = [
  0,
  -1,
  1,
  1.5,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  0.1 + 0.2,
  255,
  65_536,
  8.64e15,
  8.64e15 + 1,
  -62_135_596_800,
];

/** Draws a text that is known to break software. */
export function drawHostileText(draw: FuzzRandom): string {
  if (draw.percent(15)) return draw.bytes(1 + draw.integerBelow(24)).toString("latin1");
  if (draw.percent(15))
    return String.fromCodePoint(...Array.from({ length: 1 + draw.integerBelow(8) }, () => draw.integerBelow(0x10ffff)));
  return draw.pick(texts);
}

/** Draws a JSON value that is invalid at its place. */
export function drawHostileValue(draw: FuzzRandom): unknown {
  switch (draw.integerBelow(8)) {
    case 0:
      return null;
    case 1:
      return draw.percent(50);
    case 2:
      return draw.pick(numbers);
    case 3:
      return Array.from({ length: draw.pick([0, 1, 2, 300]) }, () => draw.pick<unknown>([null, 0, "", {}, []]));
    case 4:
      return { [drawHostileText(draw)]: drawHostileText(draw), toString: 1, length: -1 };
    case 5:
      return nested(draw.pick([2, 20, 99, 101, 400]));
    default:
      return drawHostileText(draw);
  }
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
