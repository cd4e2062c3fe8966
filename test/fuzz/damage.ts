import type { Draw } from "./draw.ts";
import { hostileText, hostileValue } from "./hostile.ts";

const TOO_LARGE = 1_100_000;

/** A slot in a JSON value: the object or list, and the key in it. */
type Spot = readonly [Record<string | number, unknown>, string | number];

/** Mutates some slots of a JSON value, in place. */
export function damagedValue(value: unknown, draw: Draw): unknown {
  const spots = [...spotsOf(value)];
  if (spots.length === 0 || draw.percent(8)) return hostileValue(draw);
  for (let times = 1 + draw.below(2); times > 0; times--) {
    const [holder, key] = draw.of(spots) ?? [{}, ""];
    damageAt(holder, key, draw);
  }
  return value;
}

function damageAt(holder: Spot[0], key: Spot[1], draw: Draw): void {
  const one = draw.below(10);
  if (one === 0 && !Array.isArray(holder)) delete holder[key];
  else if (one === 1 && !Array.isArray(holder)) holder[hostileText(draw)] = hostileValue(draw);
  else if (one === 2) holder[key] = [holder[key]];
  else if (one === 3) holder[key] = { value: holder[key] };
  else if (one === 4 && typeof holder[key] === "string") holder[key] = `${holder[key]}${hostileText(draw)}`;
  else if (one === 5 && typeof holder[key] === "number") holder[key] = String(holder[key]);
  else holder[key] = hostileValue(draw);
}

function* spotsOf(value: unknown): Generator<Spot> {
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    yield [value as Spot[0], key];
    yield* spotsOf(inner);
  }
}

/** Mutates JSON text into forms that no JSON writer produces. */
export function damagedText(json: string, draw: Draw): Buffer {
  const bytes = Buffer.from(json);
  const at = draw.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (draw.below(9)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, draw.bytes(1 + draw.below(4)), after]);
    case 2:
      return Buffer.concat([bytes, bytes]);
    case 3:
      return Buffer.from(
        json.replace("{", '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},'),
      );
    case 4:
      return Buffer.from(json.replace(/"(\w+)":/, '"$1":null,"$1":'));
    case 5:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 6:
      return Buffer.from(
        json.replaceAll(
          /:\s*\d+(\.\d+)?/g,
          draw.of([":1e400", ":-0", ":01", ":NaN", ":1.", ":123456789012345678901234567890"]),
        ),
      );
    case 7:
      return Buffer.from(json, "utf16le");
    default:
      return Buffer.concat([before, Buffer.from("[".repeat(draw.of([90, 200, 20_000]))), after]);
  }
}

/** Draws bytes that are not JSON, or JSON that is too large. */
export function strangeBytes(draw: Draw): Buffer {
  switch (draw.below(30)) {
    case 0:
      return Buffer.alloc(TOO_LARGE, "a");
    case 1:
      return Buffer.from(JSON.stringify({ a: "x".repeat(TOO_LARGE - 100_000) }));
    case 2:
      return Buffer.from(`[${"{},".repeat(20_000)}{}]`);
    default:
      return draw.percent(50) ? draw.bytes(draw.below(60)) : Buffer.from(hostileText(draw).toWellFormed());
  }
}
