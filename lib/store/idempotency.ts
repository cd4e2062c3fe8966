import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { requests } from "../contract/resources.ts";
import { isConditionMet } from "./condition-failed.ts";
import type { Key } from "./item.ts";
import { NOT_EXISTS, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import { commit, type WriteItem } from "./transaction.ts";

/** A request with an idempotency key. Its digest distinguishes it from other requests with the same key. */
export interface IdempotentRequest {
  readonly operation: string;
  readonly key: string;
  /** Digest of the body. */
  readonly digest: string;
  /** Expiry of the key, epoch ms. */
  readonly expiresMs: number;
}

/** The stored response: the text of a success, or the error of a refusal. */
export type IdempotentResponse =
  | { readonly kind: "success"; readonly text: string }
  | { readonly kind: "refusal"; readonly code: string; readonly detail: string };

const guardItem = z.object({
  digest: z.string(),
  expires_ms: z.number(),
  user_id: z.string().nullable(),
  refusal: z.object({ code: z.string(), detail: z.string() }).nullable(),
});
const answerItem = z.object({ content: z.instanceof(Uint8Array) });
const guardOf = z.object({ sk: z.string(), guard: z.string() });

const guardKey = (scope: TeamScope, { operation, key }: Pick<IdempotentRequest, "operation" | "key">): Key => ({
  pk: `${requests.keyPrefix}${scope.teamId}#${operation}#${key}`,
  sk: "request",
});
const answersOf = (scope: TeamScope, userId: string) => `${requests.keyPrefix}${scope.teamId}#of#${userId}`;

/**
 * Responses to requests with an idempotency key. The item of the key contains no personal data; the response is stored
 * with the user whose data it contains.
 */
export class IdempotencyStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the digest and response stored under a key; undefined if the key is free. */
  async find(
    scope: TeamScope,
    request: IdempotentRequest,
    nowMs: number,
  ): Promise<{ digest: string; answer: IdempotentResponse } | undefined> {
    const { pk, sk } = guardKey(scope, request);
    const guard = await this.#table.get({ pk, sk }, guardItem);
    if (!guard || guard.expires_ms <= nowMs) return undefined;
    const { digest, refusal } = guard;
    if (refusal) return { digest, answer: { kind: "refusal", ...refusal } };
    const answer = await this.#table.get({ pk: answersOf(scope, guard.user_id ?? ""), sk: pk }, answerItem);
    return answer && { digest, answer: { kind: "success", text: gunzipSync(answer.content).toString("utf8") } };
  }

  /** Builds the writes that store a response under a key, the guard first. They fail if the key is in use. */
  putSuccessItems(
    scope: TeamScope,
    request: IdempotentRequest,
    userId: string,
    text: string,
    nowMs: number,
  ): WriteItem[] {
    const { pk } = guardKey(scope, request);
    const Item = { pk: answersOf(scope, userId), sk: pk, guard: pk, content: gzipSync(text) };
    return [
      this.#guardItem(scope, request, { user_id: userId, refusal: null }, nowMs),
      { Put: { TableName: this.#table.name, Item: { ...Item, ...expiry(request) } } },
    ];
  }

  /** Stores a refusal under a key, unless the key is in use. @returns whether it is stored. */
  async putRefusal(
    scope: TeamScope,
    request: IdempotentRequest,
    refusal: { readonly code: string; readonly detail: string },
    nowMs: number,
  ): Promise<boolean> {
    const guard = this.#guardItem(scope, request, { user_id: null, refusal }, nowMs);
    return isConditionMet(commit(this.#table.documents, [guard]));
  }

  #guardItem(scope: TeamScope, request: IdempotentRequest, of: Record<string, unknown>, nowMs: number): WriteItem {
    const { digest, expiresMs: expires_ms } = request;
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...guardKey(scope, request), digest, expires_ms, ...of, ...expiry(request) },
        ConditionExpression: `${NOT_EXISTS} OR expires_ms <= :now`,
        ExpressionAttributeValues: { ":now": nowMs },
      },
    };
  }

  /** Deletes the responses with data of a user, and their keys. */
  async eraseUser(scope: TeamScope, userId: string): Promise<number> {
    const pk = answersOf(scope, userId);
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    for await (const { guard } of this.#table.queryAll(input, guardOf))
      await this.#table.delete({ pk: guard, sk: "request" });
    return this.#table.deletePartition(pk);
  }
}

const expiry = ({ expiresMs }: IdempotentRequest) => ({ expires_at: Math.ceil(expiresMs / 1000) });
