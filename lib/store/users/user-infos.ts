import { userInfos } from "../../contract/resources.ts";
import { type UserInfo, wireUserInfo } from "../../domain/users/demographics/user-info.ts";
import type { Key } from "../item.ts";
import { setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const infoKey = (scope: TeamScope, userId: string): Key => ({
  pk: `${userInfos.keyPrefix}${scope.teamId}#${userId}`,
  sk: "info",
});

/** Demographics of users, one item each. */
export class UserInfoStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, userId: string): Promise<UserInfo | undefined> {
    return this.#table.get(infoKey(scope, userId), wireUserInfo);
  }

  /** Builds the write that sets these attributes and leaves the others as they are. */
  updateItem(scope: TeamScope, userId: string, changes: Partial<UserInfo>): WriteItem {
    return { Update: { TableName: this.#table.name, Key: infoKey(scope, userId), ...setExpression(changes) } };
  }

  /** Makes a transaction depend on existing demographics. */
  checkExistsItem(scope: TeamScope, userId: string): WriteItem {
    const ConditionExpression = "attribute_exists(pk)";
    return { ConditionCheck: { TableName: this.#table.name, Key: infoKey(scope, userId), ConditionExpression } };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(infoKey(scope, userId).pk);
  }
}
