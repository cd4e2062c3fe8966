import type { FuzzRandom } from "./fuzz-random.ts";
import { drawHostileText, drawHostileValue } from "./hostile-values.ts";

const OVERSIZE_BYTES = 1_100_000;

/** A slot in a JSON value: the object or list, and the key in it. */
type JsonSlot = readonly [Record<string | number, unknown>, string | number];

/** Mutates some slots of a JSON value, in place. */
export function mutateJsonValue(value: unknown, draw: FuzzRandom): unknown {
  const spots = [...listSlots(value)];
  if (spots.length === 0 || draw.percent(8)) return drawHostileValue(draw);
  for (let times = 1 + draw.integerBelow(2); times > 0; times--) {
    const [holder, key] = draw.pick(spots) ?? [{}, ""];
    mutateSlot(holder, key, draw);
  }
  return value;
}

function mutateSlot(holder: JsonSlot[0], key: JsonSlot[1], draw: FuzzRandom): void {
  const one = draw.integerBelow(10);
  if (one === 0 && !Array.isArray(holder)) delete holder[key];
  else if (one === 1 && !Array.isArray(holder)) holder[drawHostileText(draw)] = drawHostileValue(draw);
  else if (one === 2) holder[key] = [holder[key]];
  else if (one === 3) holder[key] = { value: holder[key] };
  else if (one === 4 && typeof holder[key] === "string") holder[key] = `${holder[key]}${drawHostileText(draw)}`;
  else if (one === 5 && typeof holder[key] === "number") holder[key] = String(holder[key]);
  else holder[key] = drawHostileValue(draw);
}

function* listSlots(value: unknown): Generator<JsonSlot> {
  if (value === null || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    yield [value as JsonSlot[0], key];
    yield* listSlots(inner);
  }
}

/** Mutates JSON text into forms that no JSON writer produces. */
export function mutateJsonText(json: string, draw: FuzzRandom): Buffer {
  const bytes = Buffer.from(json);
  const at = draw.integerBelow(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (draw.integerBelow(9)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, draw.bytes(1 + draw.integerBelow(4)), after]);
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
          draw.pick([":1e400", ":-0", ":01", ":NaN", ":1.", ":123456789012345678901234567890"]),
        ),
      );
    case 7:
      return Buffer.from(json, "utf16le");
    default:
      return Buffer.concat([before, Buffer.from("[".repeat(draw.pick([90, 200, 20_000]))), after]);
  }
}

/** Draws bytes that are not JSON, or JSON that is too large. */
export function drawInvalidBytes(draw: FuzzRandom): Buffer {
  switch (draw.integerBelow(30)) {
    case 0:
      return Buffer.alloc(OVERSIZE_BYTES, "a");
    case 1:
      return Buffer.from(JSON.stringify({ a: "x".repeat(OVERSIZE_BYTES - 100_000) }));
    case 2:
      return Buffer.from(`[${"{},".repeat(20_000)}{}]`);
    default:
      return draw.percent(50) ? draw.bytes(draw.integerBelow(60)) : Buffer.from(drawHostileText(draw).toWellFormed());
  }
}
