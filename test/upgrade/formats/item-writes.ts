import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Item, Key } from "../../../lib/store/item.ts";

type Attributes = Readonly<Record<string, AttributeValue>>;
interface Write {
  readonly Item?: Attributes;
}

/** Lists the whole items that a request to DynamoDB writes. Updates change single attributes of these. */
export function listItemWrites(operation: string, body: Readonly<Record<string, unknown>>): (Item & Key)[] {
  return listWrites(operation, body).map((item) => toPlainItem(item) as Item & Key);
}

/** An item or image with plain values. Binary values and sets keep their kind. */
export const toPlainItem = (attributes: Attributes): Item =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, toPlainValue(value)]));

function toPlainValue(value: AttributeValue): unknown {
  const [[type = "", content] = []] = Object.entries(value);
  if (type === "N") return Number(content);
  if (type === "NULL") return null;
  if (type === "B") return Uint8Array.of();
  if (type === "M") return toPlainItem(content);
  if (type === "L") return (content as AttributeValue[]).map(toPlainValue);
  return type.endsWith("S") && type.length === 2 ? new Set(content) : content;
}

function listWrites(operation: string, body: Readonly<Record<string, unknown>>): Attributes[] {
  if (operation === "PutItem") return [body.Item as Attributes];
  if (operation === "TransactWriteItems")
    return (body.TransactItems as { Put?: Write }[]).flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));
  if (operation === "BatchWriteItem") {
    const requests = Object.values(body.RequestItems as Record<string, { PutRequest?: Write }[]>);
    return requests.flat().flatMap(({ PutRequest }) => (PutRequest?.Item ? [PutRequest.Item] : []));
  }
  if (operation !== "BatchExecuteStatement") return [];
  return (body.Statements as { Statement: string; Parameters: AttributeValue[] }[]).map(({ Statement, Parameters }) => {
    const names = [...Statement.matchAll(/'([^']+)': \?/g)].map(([, name = ""]) => name);
    return Object.fromEntries(names.map((name, place) => [name, Parameters[place] as AttributeValue]));
  });
}
