import type { FaultTarget } from "../../lib/local/front/faults.ts";

/** An item in DynamoDB's low-level form. */
export type Item = Readonly<Record<string, object>>;

/** The location of an item. */
export interface Place {
  readonly name: string;
  readonly table: string;
  readonly key: Item;
}

/** A call of a function to an AWS service. */
export interface Asked {
  readonly service: FaultTarget["service"];
  /** API operation; the HTTP method for S3. */
  readonly operation: string;
  /** Table, queue, state machine, or path of an object. */
  readonly about: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the call sends a message, an event or an execution to another part of the service. */
  readonly isMessage: boolean;
}

const MESSAGES = ["SendMessage", "SendMessageBatch", "PutEvents", "StartExecution", "StopExecution"];

interface Write {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
}

/** Parses the call from the AWS proxy's description. */
export function askedOf({ service, about: told = () => "" }: FaultTarget): Asked {
  const text = told();
  const [operation = "", path = ""] = text.split(" ", 2);
  if (service === "http" || service === "s3") return { service, operation, about: path, body: {}, isMessage: false };
  const raw = Buffer.from(text.slice(operation.length + path.length + 2), "latin1").toString("utf8");
  // Removing the token from a transaction leaves its comma.
  const body = JSON.parse(raw.replace(/^\{,/, "{").replace(/,,/g, ",").replace(/,\}$/, "}") || "{}");
  return { service, operation, about: resourceOf(body), body, isMessage: MESSAGES.includes(operation) };
}

function resourceOf(body: Record<string, unknown>): string {
  const { TableName, IndexName, QueueUrl, stateMachineArn, executionArn, TransactItems, RequestItems, Statements } =
    body;
  if (Array.isArray(TransactItems)) {
    const kinds = TransactItems.map((one: Record<string, Write>) => Object.keys(one)[0]);
    return kinds.sort().join(",");
  }
  if (RequestItems) return Object.keys(RequestItems).join();
  if (Array.isArray(Statements)) return Statements.map((one: Statement) => insertOf(one).TableName)[0] ?? "";
  const name = [TableName, IndexName].filter(Boolean).join("/");
  return String((name || (QueueUrl ?? stateMachineArn ?? executionArn)) ?? "")
    .split(/[/:](?=[^/:]*$)/)
    .join("/");
}

/** Lists the items that a call may write. */
export function placesOf({ operation, body }: Asked): Place[] {
  return writesOf(operation, body).map(({ TableName, Key, Item = {} }) => {
    const { pk, sk } = (Key ?? Item) as Item & { pk: object; sk: object };
    const key: Item = { pk, sk };
    return { name: `${TableName} ${JSON.stringify(key)}`, table: TableName, key };
  });
}

interface Statement {
  readonly Statement: string;
  readonly Parameters: readonly object[];
}

/** Parses the item that a statement inserts. The item begins with its key. */
function insertOf({ Statement, Parameters }: Statement): Write {
  const [, TableName = ""] = /"([^"]+)"/.exec(Statement) ?? [];
  const [pk = {}, sk = {}] = Parameters;
  return { TableName, Item: { pk, sk } };
}

function writesOf(operation: string, body: Asked["body"]): Write[] {
  if (["PutItem", "UpdateItem", "DeleteItem"].includes(operation)) return [body as unknown as Write];
  if (operation === "TransactWriteItems") {
    const items = body.TransactItems as Record<string, Write>[];
    return items.flatMap((one) => Object.entries(one).flatMap(([kind, w]) => (kind === "ConditionCheck" ? [] : [w])));
  }
  if (operation === "BatchExecuteStatement") return (body.Statements as Statement[]).map(insertOf);
  if (operation !== "BatchWriteItem") return [];
  const requests = body.RequestItems as Record<string, Record<string, Omit<Write, "TableName">>[]>;
  return Object.entries(requests).flatMap(([TableName, all]) =>
    all.flatMap((one) => Object.values(one).map((write) => ({ TableName, ...write }))),
  );
}
