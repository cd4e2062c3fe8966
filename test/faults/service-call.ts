import type { FaultTarget } from "../../lib/local/aws-proxy/fault-injector.ts";

/** An item in DynamoDB's low-level form. */
export type DynamodbItem = Readonly<Record<string, object>>;

/** The location of an item. */
export interface ItemLocation {
  readonly name: string;
  readonly table: string;
  readonly key: DynamodbItem;
}

/** A call of a function to an AWS service. */
export interface ServiceCall {
  readonly service: FaultTarget["service"];
  /** API operation; the HTTP method for S3. */
  readonly operation: string;
  /** Table, queue, state machine, or path of an object. */
  readonly resource: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the call sends a message, an event or an execution to another part of the service. */
  readonly isMessage: boolean;
}

const MESSAGE_OPERATIONS = ["SendMessage", "SendMessageBatch", "PutEvents", "StartExecution", "StopExecution"];

interface ItemWrite {
  readonly TableName: string;
  readonly Key?: DynamodbItem;
  readonly Item?: DynamodbItem;
}

/** Parses the call from the AWS proxy's description. */
export function parseServiceCall({ service, fingerprint = () => "" }: FaultTarget): ServiceCall {
  const text = fingerprint();
  const [operation = "", path = ""] = text.split(" ", 2);
  if (service === "http" || service === "s3") return { service, operation, resource: path, body: {}, isMessage: false };
  const raw = Buffer.from(text.slice(operation.length + path.length + 2), "latin1").toString("utf8");
  // Removing the token from a transaction leaves its comma.
  const body = JSON.parse(raw.replace(/^\{,/, "{").replace(/,,/g, ",").replace(/,\}$/, "}") || "{}");
  return { service, operation, resource: resourceOf(body), body, isMessage: MESSAGE_OPERATIONS.includes(operation) };
}

function resourceOf(body: Record<string, unknown>): string {
  const { TableName, IndexName, QueueUrl, stateMachineArn, executionArn, TransactItems, RequestItems, Statements } =
    body;
  if (Array.isArray(TransactItems)) {
    const kinds = TransactItems.map((one: Record<string, ItemWrite>) => Object.keys(one)[0]);
    return kinds.sort().join(",");
  }
  if (RequestItems) return Object.keys(RequestItems).join();
  if (Array.isArray(Statements)) return Statements.map((one: Statement) => parseInsert(one).TableName)[0] ?? "";
  const name = [TableName, IndexName].filter(Boolean).join("/");
  return String((name || (QueueUrl ?? stateMachineArn ?? executionArn)) ?? "")
    .split(/[/:](?=[^/:]*$)/)
    .join("/");
}

/** Lists the items that a call may write. */
export function writtenItems({ operation, body }: ServiceCall): ItemLocation[] {
  return listWrites(operation, body).map(({ TableName, Key, Item = {} }) => {
    const { pk, sk } = (Key ?? Item) as DynamodbItem & { pk: object; sk: object };
    const key: DynamodbItem = { pk, sk };
    return { name: `${TableName} ${JSON.stringify(key)}`, table: TableName, key };
  });
}

interface Statement {
  readonly Statement: string;
  readonly Parameters: readonly object[];
}

/** Parses the item that a statement inserts. The item begins with its key. */
function parseInsert({ Statement, Parameters }: Statement): ItemWrite {
  const [, TableName = ""] = /"([^"]+)"/.exec(Statement) ?? [];
  const [pk = {}, sk = {}] = Parameters;
  return { TableName, Item: { pk, sk } };
}

function listWrites(operation: string, body: ServiceCall["body"]): ItemWrite[] {
  if (["PutItem", "UpdateItem", "DeleteItem"].includes(operation)) return [body as unknown as ItemWrite];
  if (operation === "TransactWriteItems") {
    const items = body.TransactItems as Record<string, ItemWrite>[];
    return items.flatMap((one) => Object.entries(one).flatMap(([kind, w]) => (kind === "ConditionCheck" ? [] : [w])));
  }
  if (operation === "BatchExecuteStatement") return (body.Statements as Statement[]).map(parseInsert);
  if (operation !== "BatchWriteItem") return [];
  const requests = body.RequestItems as Record<string, Record<string, Omit<ItemWrite, "TableName">>[]>;
  return Object.entries(requests).flatMap(([TableName, all]) =>
    all.flatMap((one) => Object.values(one).map((write) => ({ TableName, ...write }))),
  );
}
