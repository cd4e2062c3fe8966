import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { directoryTable, erasureTable, keys, teams, userKeyTable } from "../../../../lib/contract/resources.ts";
import type { WriteItem } from "../../../../lib/store/transaction.ts";
import type { Fault } from "../../support/step-scheduler.ts";

/** The fields of a command's input that the gate reads. */
interface Input {
  readonly TableName?: string;
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly WriteItem[];
}

/** Intercepts every request of the stores: waits for its turn and injects its fault. */
export class RequestGate {
  /** Waits for a turn. @returns the fault to inject into the request. */
  awaitTurn: (step: string) => Promise<Fault | undefined> = async () => undefined;
  /** Alters the writes of transactions, to prove that the race detects a store without its conditions. */
  tamper: (item: WriteItem) => WriteItem = (item) => item;

  /** Intercepts this client permanently. */
  constructor(documents: DynamoDBDocumentClient) {
    const send = documents.send.bind(documents);
    const pass = async (command: { readonly input: Input }): Promise<unknown> => {
      const { TableName } = command.input;
      if (TableName === erasureTable.name || TableName === userKeyTable.name) return send(command as never);
      // No race stores samples or events, but the erasure of a user reads about sixty of their partitions.
      if ((TableName ?? directoryTable.name) !== directoryTable.name) return { Items: [] };
      const fault = isOfCredentials(command.input) ? undefined : await this.awaitTurn(command.constructor.name);
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

/** The error that the SDK throws for a broken connection. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

/** Reads of keys and teams take no turn: they are cached across runs, so a run would depend on earlier runs. */
function isOfCredentials({ Key }: Input): boolean {
  return [keys, teams].some(({ keyPrefix }) => String(Key?.pk).startsWith(keyPrefix));
}
