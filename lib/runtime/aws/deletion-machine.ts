import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import type { DeletionInput } from "../../domain/erasure/deletion-input.ts";
import { oncePerContainer } from "../container.ts";
import { currentTraceparent } from "../span.ts";

/** The state machine that waits out grace periods. One execution per deletion id makes `start` idempotent. */
export class DeletionMachine {
  static readonly #states = oncePerContainer(() => new SFNClient({}));
  readonly #machineArn: string;

  constructor(machineArn: string) {
    this.#machineArn = machineArn;
  }

  async start(input: DeletionInput): Promise<void> {
    try {
      await DeletionMachine.#states().send(
        new StartExecutionCommand({
          stateMachineArn: this.#machineArn,
          name: `del-${input.deletion_id}`,
          input: JSON.stringify({ ...input, traceparent: currentTraceparent() }),
        }),
      );
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  }

  /** Stops the execution of an undone deletion. Optional cleanup: the erasure step checks the user's state itself. */
  async stop(deletionId: string): Promise<void> {
    const executionArn = `${this.#machineArn.replace(":stateMachine:", ":execution:")}:del-${deletionId}`;
    try {
      await DeletionMachine.#states().send(new StopExecutionCommand({ executionArn, cause: "deletion undone" }));
    } catch (error) {
      if (!(error instanceof ExecutionDoesNotExist)) throw error;
    }
  }
}
