import { isJsonObject } from "../../domain/shared/json.ts";
import type { AwsRequest } from "./aws-request.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** An item that a request writes: completely, by an update expression, or by its deletion. */
export interface WrittenElement {
  /** Primary key as text. */
  readonly id: string;
  readonly item?: Attributes;
  readonly update?: Attributes;
}

const objects = (value: unknown): Attributes[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const object = (value: unknown): Attributes => (isJsonObject(value) ? value : {});
const text = (attribute: unknown): string | undefined => {
  const { S } = object(attribute);
  return typeof S === "string" ? S : undefined;
};

/** Lists the items that a request writes to a table. PartiQL inserts, which no indexed table takes, are left out. */
export function writtenElements({ operation, body }: AwsRequest, table: string): WrittenElement[] {
  if (operation === "TransactWriteItems") {
    const all = objects(body.TransactItems).flatMap((element) => Object.values(element).filter(isJsonObject));
    return all.filter(({ TableName }) => TableName === table).map(toElement);
  }
  if (operation !== "BatchWriteItem") return [toElement(body)];
  return objects(object(body.RequestItems)[table]).flatMap((element) =>
    Object.values(element).filter(isJsonObject).map(toElement),
  );
}

function toElement(written: Attributes): WrittenElement {
  const { Item, Key, UpdateExpression } = written;
  const { pk, sk } = object(Key ?? Item);
  const id = JSON.stringify([text(pk), text(sk)]);
  if (isJsonObject(Item)) return { id, item: Item };
  return typeof UpdateExpression === "string" ? { id, update: written } : { id };
}

/** Finds the value that a write gives an attribute, and whether the write removes it. */
export function findIndexKeys({ item, update }: WrittenElement, attribute: string) {
  if (item) return { now: text(item[attribute]), isGone: item[attribute] === undefined };
  if (!update) return { now: undefined, isGone: true };
  const names = object(update.ExpressionAttributeNames);
  const values = object(update.ExpressionAttributeValues);
  const expression = String(update.UpdateExpression);
  for (const [, name = "", value = ""] of expression.matchAll(/([\w#]+)\s*=\s*(:\w+)/g))
    if ((names[name] ?? name) === attribute) return { now: text(values[value]), isGone: false };
  const removed = /REMOVE ([\w#, ]+)/.exec(expression)?.[1] ?? "";
  return {
    now: undefined,
    isGone: removed.split(/, */).some((name) => (names[name.trim()] ?? name.trim()) === attribute),
  };
}
