import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { directory, erasureTable, keys, teams, userKeyTable } from "../../../lib/contract/resources.ts";
import type { WriteItem } from "../../../lib/store/transaction.ts";
import type { Fault } from "./turns.ts";

/** The input of a command, as far as the gate looks at it. */
interface Input {
  readonly TableName?: string;
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly WriteItem[];
}

/** Stands before the engine: every request of the stores waits here for its turn, and meets its fault. */
export class RequestGate {
  /** Waits for a turn, and names the fault that the request is to meet. */
  turn: (step: string) => Promise<Fault | undefined> = async () => undefined;
  /** Alters the writes of transactions on their way, to see that a store without its conditions is found out. */
  tamper: (item: WriteItem) => WriteItem = (item) => item;

  /** Puts the gate before this client, for good. */
  constructor(documents: DynamoDBDocumentClient) {
    const send = documents.send.bind(documents);
    const pass = async (command: { readonly input: Input }): Promise<unknown> => {
      const { TableName } = command.input;
      if (TableName === erasureTable.name || TableName === userKeyTable.name) return send(command as never);
      // No race puts samples or events there, and the erasure of a user reads some sixty of their partitions.
      if ((TableName ?? directory.name) !== directory.name) return { Items: [] };
      const fault = isOfCredentials(command.input) ? undefined : await this.turn(command.constructor.name);
      if (fault === "request lost") throw lost();
      const answer = await send(this.#tampered(command) as never);
      if (fault === "answer lost") throw lost();
      return answer;
    };
    Object.assign(documents, { send: pass });
  }

  #tampered(command: { readonly input: Input }): object {
    const { TransactItems } = command.input;
    return TransactItems ? new TransactWriteCommand({ TransactItems: TransactItems.map(this.tamper) }) : command;
  }
}

/** What the SDK throws when the connection broke. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

/** Keys and teams are remembered across runs: were their reads turns, a run would depend on the runs before it. */
function isOfCredentials({ Key }: Input): boolean {
  return [keys, teams].some(({ keyPrefix }) => String(Key?.pk).startsWith(keyPrefix));
}
