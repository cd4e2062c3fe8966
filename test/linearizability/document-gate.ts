import { randomUUID } from "node:crypto";
import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { auditTable, keys, keyUses, orgs, teams, usageTable } from "../../lib/contract/resources.ts";
import type { RequestTurns } from "./request-turns.ts";

/** The fields of a command's input that the gate reads. */
interface CommandInput {
  readonly TableName?: string | undefined;
  readonly Key?: Readonly<Record<string, unknown>> | undefined;
}

/** A command of the document client. */
export interface DocumentCommand {
  readonly input: CommandInput;
  readonly middlewareStack: { identify(): string[] };
}

/** Sends a command to the engine. */
export type SendDocument = (command: DocumentCommand) => Promise<unknown>;

/** Lets every request of the stores wait for its turn. */
export class DocumentGate {
  /** Stands between the stores and the engine: a planted fault. */
  intervene: (command: DocumentCommand, send: SendDocument) => Promise<unknown> = (command, send) => send(command);

  /** Intercepts this client permanently. */
  constructor(documents: DynamoDBDocumentClient, turns: RequestTurns) {
    const original = documents.send.bind(documents) as unknown as SendDocument;
    const send = (command: DocumentCommand) => this.intervene(command, original);
    const pass = (command: DocumentCommand): Promise<unknown> => {
      if (isOfCaller(command.input)) return turns.passAtOnce(() => original(command));
      const isOnce = command.middlewareStack.identify().some((name) => name.includes("sendOnce"));
      const name = `${command.constructor.name} ${command.input.TableName ?? ""}`;
      return turns.pass({
        name,
        send: () => send(command),
        sendAgain: isOnce ? undefined : () => sendTwice(command, send),
      });
    };
    Object.assign(documents, { send: pass });
  }
}

/** The client repeats the same request, so a transaction has the same token. */
async function sendTwice(command: DocumentCommand, send: SendDocument): Promise<unknown> {
  if (command instanceof TransactWriteCommand) command.input.ClientRequestToken ??= randomUUID();
  await Promise.allSettled([send(command)]);
  return send(command);
}

/** Reads of keys and teams are cached across calls, and counts are no part of any object. */
function isOfCaller({ TableName, Key }: CommandInput): boolean {
  if (TableName === usageTable.name || TableName === auditTable.name) return true;
  return [keys, keyUses, teams, orgs].some(({ keyPrefix }) => String(Key?.pk).startsWith(keyPrefix));
}
