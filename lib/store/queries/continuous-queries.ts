import { continuousQueries } from "../../contract/resources.ts";
import { type ContinuousQuery, continuousQuery, hasIdForm } from "../../domain/queries/continuous/continuous-query.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Page, setExpression, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const partition = (scope: TeamScope) => `${continuousQueries.keyPrefix}${scope.teamId}`;
const queryKey = (scope: TeamScope, slug: string): Key => ({ pk: partition(scope), sk: slug });

/** Continuous queries of teams by slug. An archived query keeps its slug, because its results stay readable. */
export class ContinuousQueryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** @throws ConditionFailed if the slug is taken. */
  create(scope: TeamScope, query: ContinuousQuery): Promise<void> {
    return this.#table.put({ ...queryKey(scope, query.slug), ...query }, { ConditionExpression: NOT_EXISTS });
  }

  get(scope: TeamScope, slug: string): Promise<ContinuousQuery | undefined> {
    return this.#table.get(queryKey(scope, slug), continuousQuery);
  }

  /** Returns the query with this id or slug. The id comes first: earlier versions accepted slugs in the form of an id. */
  async find(scope: TeamScope, idOrSlug: string): Promise<ContinuousQuery | undefined> {
    const byId = hasIdForm(idOrSlug) ? await this.#findById(scope, idOrSlug.toLowerCase()) : undefined;
    return byId ?? this.get(scope, idOrSlug);
  }

  async #findById(scope: TeamScope, id: string): Promise<ContinuousQuery | undefined> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": partition(scope) } };
    for await (const query of this.#table.queryAll(input, continuousQuery)) {
      if (query.id === id) return query;
    }
    return undefined;
  }

  /** Returns a page in order of slugs. @param after the last slug of the previous page. */
  list(scope: TeamScope, after: string | undefined, limit: number): Promise<Page<ContinuousQuery>> {
    const input = {
      KeyConditionExpression: after === undefined ? "pk = :pk" : "pk = :pk AND sk > :after",
      ExpressionAttributeValues: { ":pk": partition(scope), ...(after === undefined ? {} : { ":after": after }) },
      Limit: limit,
    };
    return this.#table.query(input, continuousQuery);
  }

  /** Updates an active query. @throws ConditionFailed if it is archived. */
  async update(scope: TeamScope, slug: string, changes: Partial<ContinuousQuery>): Promise<ContinuousQuery> {
    const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = setExpression(changes);
    const changed = await this.#table.update(queryKey(scope, slug), {
      UpdateExpression,
      ConditionExpression: "#is = :active",
      ExpressionAttributeNames: { ...ExpressionAttributeNames, "#is": "status" },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ":active": "active" },
    });
    return continuousQuery.parse(changed);
  }
}
