import * as z from "zod";
import { matchReviews } from "../../contract/resources.ts";
import { listingOf, type ReviewListing, type ReviewRecord, reviewListing } from "../../domain/results/review-list.ts";
import { withoutUser } from "../../domain/results/review-users.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { type Item, isNew, type Key, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { commit, type WriteItem } from "../transaction.ts";
import { pack, packed, unpack } from "./packed.ts";

const partition = ({ teamId }: TeamScope) => `${matchReviews.keyPrefix}${teamId}`;
const reviewKey = (scope: TeamScope, id: string): Key => ({ pk: partition(scope), sk: `review#${id}` });
const listKey = (scope: TeamScope, { id, created_at }: Pick<ReviewListing, "id" | "created_at">): Key => ({
  pk: partition(scope),
  sk: `listed#${created_at}#${id}`,
});
/** Where the ids of the reviews are that name a user. */
const reviewsOf = (scope: TeamScope, userId: string) => `${partition(scope)}#of#${userId}`;

const reviewItem = z
  .object({ content: packed, revision: z.int() })
  .transform(({ content, revision }) => ({ ...(unpack(content) as Omit<ReviewRecord, "revision">), revision }));
const named = z.object({ sk: z.string() });

/** Reviews of results whose order is not certain, with the reports themselves. */
export class MatchReviewStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, id: string): Promise<ReviewRecord | undefined> {
    return this.#table.get(reviewKey(scope, id), reviewItem);
  }

  /** Those of the reviews that are there, in the order of the ids. */
  async getMany(scope: TeamScope, ids: readonly string[]): Promise<ReviewRecord[]> {
    const found = await this.#table.getMany(
      ids.map((id) => reviewKey(scope, id)),
      reviewItem,
    );
    const byId = new Map(found.map((record) => [record.review.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** What lists need of all reviews made between these instants (ISO 8601, both included), newest first. */
  list(scope: TeamScope, from: string, to: string): Promise<ReviewListing[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      // After the instant comes the mark before the id; the next character closes the range.
      ExpressionAttributeValues: { ":pk": partition(scope), ":from": `listed#${from}`, ":to": `listed#${to}$` },
      ScanIndexForward: false,
    };
    return Array.fromAsync(this.#table.all(input, reviewListing));
  }

  /** First writes of a review, its own first; refused when it exists. @throws TooLarge. */
  createItems(scope: TeamScope, record: Omit<ReviewRecord, "revision">): WriteItem[] {
    const pointers = listingOf(record).user_ids.map((user) => ({ pk: reviewsOf(scope, user), sk: record.review.id }));
    const [itself, listed] = this.#items(scope, { ...record, revision: 1 });
    return [itself, listed, ...pointers].map((Item) => this.#put(Item, { ConditionExpression: isNew }));
  }

  /** Replaces a review that nobody has changed since it was read. */
  changeItems(scope: TeamScope, { revision }: ReviewRecord, after: Omit<ReviewRecord, "revision">): WriteItem[] {
    const [itself, listed] = this.#items(scope, { ...after, revision: revision + 1 });
    const isSame = { ConditionExpression: "revision = :before", ExpressionAttributeValues: { ":before": revision } };
    return [this.#put(itself, isSame), this.#put(listed)];
  }

  #items(scope: TeamScope, { revision, ...content }: ReviewRecord): [Item & Key, Item & Key] {
    const listing = listingOf(content);
    return [
      { ...reviewKey(scope, listing.id), content: pack(content), revision },
      { ...listKey(scope, listing), ...listing },
    ];
  }

  #put(Item: Item, condition = {}): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  /**
   * Takes a user out of the reviews that name them; a review that is of nobody else goes with its report. The list of a
   * user's reviews goes last, so that an erasure that stopped half-way finds the rest.
   */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    const pk = reviewsOf(scope, userId);
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    for await (const { sk } of this.#table.all(input, named)) await this.#forget(scope, sk, userId);
    return this.#table.erasePartition(pk);
  }

  async #forget(scope: TeamScope, id: string, userId: string): Promise<void> {
    for (;;) {
      const record = await this.get(scope, id);
      if (!record) return;
      const rest = withoutUser(record, userId);
      try {
        await commit(
          this.#table.documents,
          rest ? this.changeItems(scope, record, rest) : this.#removals(scope, record),
        );
        return;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
  }

  #removals(scope: TeamScope, { review, revision }: ReviewRecord): WriteItem[] {
    const isSame = { ConditionExpression: "revision = :before", ExpressionAttributeValues: { ":before": revision } };
    const { name: TableName } = this.#table;
    return [
      { Delete: { TableName, Key: reviewKey(scope, review.id), ...isSame } },
      { Delete: { TableName, Key: listKey(scope, review) } },
    ];
  }
}
