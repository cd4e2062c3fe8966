import { webhookTasks } from "../../contract/resources.ts";
import { type WebhookTask, type WebhookTaskReference, webhookTask } from "../../events/webhooks/webhook-task.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";

/** Retention of tasks. */
const KEPT_S = 30 * 24 * 60 * 60;

const taskKey = ({ team_id, endpoint_id, task_id }: WebhookTaskReference): Key => ({
  pk: `${webhookTasks.keyPrefix}${team_id}#${endpoint_id}`,
  sk: task_id,
});

/** Result of a step. */
export type TaskStep = Pick<WebhookTask, "state" | "looked_at" | "sent" | "position" | "updated_at">;

/** Tasks that send many deliveries step by step. */
export class WebhookTaskStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(name: WebhookTaskReference): Promise<WebhookTask | undefined> {
    return this.#table.get(taskKey(name), webhookTask);
  }

  /** @throws ConditionFailed if the id exists. */
  create(task: WebhookTask): Promise<void> {
    const expires_at = Math.floor(Date.parse(task.created_at) / 1000) + KEPT_S;
    return this.#table.put({ ...taskKey(task), ...task, expires_at }, { ConditionExpression: NOT_EXISTS });
  }

  /** Records a step of the task that was read. @returns false if another worker made the step. */
  recordStep(task: WebhookTask, step: TaskStep): Promise<boolean> {
    const set = setExpression({ ...step, step: task.step + 1 });
    return isConditionMet(
      this.#table.update(taskKey(task), {
        ...set,
        ConditionExpression: "#step = :seen",
        ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ":seen": task.step },
      }),
    );
  }
}
