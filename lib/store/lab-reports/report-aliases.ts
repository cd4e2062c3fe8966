import { reportAliases } from "../../contract/resources.ts";
import { foldAliasName, type ReportAlias, reportAlias } from "../../domain/lab-reports/names/report-alias.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = ({ teamId }: TeamScope) => `${reportAliases.keyPrefix}${teamId}`;

/** Test names that reviewers of a team have assigned to codes. The latest assignment of a name counts. */
export class ReportAliasStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns all names of the team. */
  list(scope: TeamScope): Promise<ReportAlias[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    return Array.fromAsync(this.#table.queryAll(input, reportAlias));
  }

  /** Builds the write of a name, for the transaction that accepts its report. */
  putItem(scope: TeamScope, alias: ReportAlias): WriteItem {
    const Item = { pk: partition(scope), sk: foldAliasName(alias.name), ...alias };
    return { Put: { TableName: this.#table.name, Item } };
  }
}
