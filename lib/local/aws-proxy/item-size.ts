import { isJsonObject } from "../../domain/shared/json.ts";

/**
 * Size of an item in bytes as DynamoDB counts it (developer guide, "DynamoDB item sizes and formats"). Names and
 * strings count in UTF-8, numbers about one byte per two digits, a list or map three bytes plus one per element.
 */
export function itemSize(item: Readonly<Record<string, unknown>>): number {
  return Object.entries(item).reduce((size, [name, value]) => size + Buffer.byteLength(name) + valueSize(value), 0);
}

function valueSize(attribute: unknown): number {
  const [type, value] = isJsonObject(attribute) ? (Object.entries(attribute)[0] ?? []) : [];
  if (Array.isArray(value)) {
    const elementType = type?.slice(0, -1) ?? "";
    return type === "L"
      ? value.reduce<number>((size, element) => size + 1 + valueSize(element), 3)
      : value.reduce<number>((size, element) => size + valueSize({ [elementType]: element }), 0);
  }
  if (isJsonObject(value)) return 3 + Object.keys(value).length + itemSize(value);
  if (typeof value !== "string") return 1;
  if (type === "N") return Math.ceil(value.replace(/\D/g, "").length / 2) + 1;
  return type === "B" ? Buffer.byteLength(value, "base64") : Buffer.byteLength(value);
}
