import * as z from "zod";
import { matchReviews } from "../../contract/resources.ts";
import {
  type ReviewListing,
  type ReviewRecord,
  reviewListing,
  toReviewListing,
} from "../../domain/results/review-list.ts";
import { withoutErasedUser } from "../../domain/results/review-users.ts";
import { compressedJson, compressJson, decompressJson } from "../compressed-json.ts";
import { retryConditionFailed } from "../condition-failed.ts";
import type { Item, Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { commit, type WriteItem } from "../transaction.ts";

const partition = ({ teamId }: TeamScope) => `${matchReviews.keyPrefix}${teamId}`;
const reviewKey = (scope: TeamScope, id: string): Key => ({ pk: partition(scope), sk: `review#${id}` });
const listKey = (scope: TeamScope, { id, created_at }: Pick<ReviewListing, "id" | "created_at">): Key => ({
  pk: partition(scope),
  sk: `listed#${created_at}#${id}`,
});
/** Returns the partition with the ids of the reviews that name a user. */
const userReviewsPartition = (scope: TeamScope, userId: string) => `${partition(scope)}#of#${userId}`;

const reviewItem = z
  .object({ content: compressedJson, revision: z.int() })
  .transform(({ content, revision }) => ({ ...(decompressJson(content) as Omit<ReviewRecord, "revision">), revision }));
const named = z.object({ sk: z.string() });

/** Reviews of results with an uncertain order, with the results themselves. */
export class MatchReviewStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, id: string): Promise<ReviewRecord | undefined> {
    return this.#table.get(reviewKey(scope, id), reviewItem);
  }

  /** Returns the reviews that exist, in the order of the ids. */
  async getMany(scope: TeamScope, ids: readonly string[]): Promise<ReviewRecord[]> {
    const found = await this.#table.getMany(
      ids.map((id) => reviewKey(scope, id)),
      reviewItem,
    );
    const byId = new Map(found.map((record) => [record.review.id, record]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns the list entries of all reviews created between two instants (ISO 8601, both inclusive), newest first. */
  list(scope: TeamScope, from: string, to: string): Promise<ReviewListing[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      // The instant is followed by `#` and the id; `$` is the next character and closes the range.
      ExpressionAttributeValues: { ":pk": partition(scope), ":from": `listed#${from}`, ":to": `listed#${to}$` },
      ScanIndexForward: false,
    };
    return Array.fromAsync(this.#table.queryAll(input, reviewListing));
  }

  /** Builds the writes of a new review, the review itself first. They fail if it exists. @throws TooLarge. */
  createItems(scope: TeamScope, record: Omit<ReviewRecord, "revision">): WriteItem[] {
    const pointers = toReviewListing(record).user_ids.map((user) => ({
      pk: userReviewsPartition(scope, user),
      sk: record.review.id,
    }));
    const [itself, listed] = this.#items(scope, { ...record, revision: 1 });
    return [itself, listed, ...pointers].map((Item) => this.#put(Item, { ConditionExpression: NOT_EXISTS }));
  }

  /** Builds the writes that replace a review. They fail if the review has changed. */
  updateItems(scope: TeamScope, { revision }: ReviewRecord, after: Omit<ReviewRecord, "revision">): WriteItem[] {
    const [itself, listed] = this.#items(scope, { ...after, revision: revision + 1 });
    const isSame = { ConditionExpression: "revision = :before", ExpressionAttributeValues: { ":before": revision } };
    return [this.#put(itself, isSame), this.#put(listed)];
  }

  #items(scope: TeamScope, { revision, ...content }: ReviewRecord): [Item & Key, Item & Key] {
    const listing = toReviewListing(content);
    return [
      { ...reviewKey(scope, listing.id), content: compressJson(content), revision },
      { ...listKey(scope, listing), ...listing },
    ];
  }

  #put(Item: Item, condition = {}): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ...condition } };
  }

  /**
   * Removes a user from the reviews that name them. A review that names no other user is deleted with its result. The
   * list of a user's reviews goes last, so an interrupted erasure still finds the rest.
   */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    const pk = userReviewsPartition(scope, userId);
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    for await (const { sk } of this.#table.queryAll(input, named)) await this.#forget(scope, sk, userId);
    return this.#table.deletePartition(pk);
  }

  #forget(scope: TeamScope, id: string, userId: string): Promise<void> {
    return retryConditionFailed(async () => {
      const record = await this.get(scope, id);
      if (!record) return;
      const rest = withoutErasedUser(record, userId);
      const writes = rest ? this.updateItems(scope, record, rest) : this.#removals(scope, record);
      await commit(this.#table.documents, writes);
    });
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
