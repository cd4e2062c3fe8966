import { isNew } from "./table.ts";

/** A window so far ahead was opened by a clock that is wrong, and is opened anew. */
export const MOST_AHEAD_S = 5;

/** The requests that a container wishes to let through in a second (epoch seconds). */
interface Wish {
  readonly window: number;
  readonly tokens: number;
}

/** The first lease of a second: forgets what was taken in the one before. */
export const openWindow = ({ window, tokens }: Wish, count: number) => ({
  UpdateExpression: "SET #second = :second, #used = :tokens ADD #requests :count",
  ConditionExpression: `${isNew} OR attribute_not_exists(#second) OR #second < :second OR #second > :ahead`,
  ExpressionAttributeNames: { "#second": "second", "#used": "used", "#requests": "requests" },
  ExpressionAttributeValues: {
    ":second": window,
    ":tokens": tokens,
    ":count": count,
    ":ahead": window + MOST_AHEAD_S,
  },
});

/** A further lease of a second, as long as it leaves the limit untouched. */
export const takeMore = ({ window, tokens }: Wish, limit: number, count: number) => ({
  UpdateExpression: "ADD #used :tokens, #requests :count",
  ConditionExpression: "#second = :second AND #used <= :room",
  ExpressionAttributeNames: { "#second": "second", "#used": "used", "#requests": "requests" },
  ExpressionAttributeValues: { ":second": window, ":tokens": tokens, ":count": count, ":room": limit - tokens },
});
