import { labTests } from "../../contract/resources.ts";
import { type LabTest, labTestRecord } from "../../domain/lab-tests/lab-test.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const labTestKey = ({ teamId }: TeamScope, labTestId: string): Key => ({
  pk: `${labTests.keyPrefix}${teamId}`,
  sk: labTestId,
});

/** Lab tests that a team created, or changed from its initial set. */
export class LabTestStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, labTestId: string): Promise<LabTest | undefined> {
    return this.#table.get(labTestKey(scope, labTestId), labTestRecord);
  }

  list({ teamId }: TeamScope): Promise<LabTest[]> {
    const input = {
      KeyConditionExpression: "pk = :team",
      ExpressionAttributeValues: { ":team": `${labTests.keyPrefix}${teamId}` },
    };
    return Array.fromAsync(this.#table.queryAll(input, labTestRecord));
  }

  /** @throws ConditionFailed if the team has a lab test with this id. */
  create(scope: TeamScope, test: LabTest): Promise<void> {
    return this.#table.put({ ...labTestKey(scope, test.lab_test_id), ...test }, { ConditionExpression: NOT_EXISTS });
  }

  /**
   * Updates a lab test.
   * @returns the updated lab test.
   * @throws ConditionFailed if the team has none with this id.
   */
  async update(scope: TeamScope, labTestId: string, changes: Partial<LabTest>): Promise<LabTest> {
    const change = { ...setExpression(changes), ConditionExpression: "attribute_exists(pk)" };
    return labTestRecord.parse(await this.#table.update(labTestKey(scope, labTestId), change));
  }
}
