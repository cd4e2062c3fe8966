import { NOT_EXISTS } from "../table.ts";

/** Maximum clock skew. A window further ahead comes from a wrong clock and is replaced. */
export const MAX_CLOCK_SKEW_S = 5;

/** The requests that a container wants to allow in a second (epoch seconds). */
interface WindowRequest {
  readonly window: number;
  readonly tokens: number;
}

/** Builds the first lease of a second. It resets the count of the previous second. */
export const firstLeaseUpdate = ({ window, tokens }: WindowRequest, count: number) => ({
  UpdateExpression: "SET #second = :second, #used = :tokens ADD #requests :count",
  ConditionExpression: `${NOT_EXISTS} OR attribute_not_exists(#second) OR #second < :second OR #second > :ahead`,
  ExpressionAttributeNames: { "#second": "second", "#used": "used", "#requests": "requests" },
  ExpressionAttributeValues: {
    ":second": window,
    ":tokens": tokens,
    ":count": count,
    ":ahead": window + MAX_CLOCK_SKEW_S,
  },
});

/** Builds a further lease of a second, within the limit. */
export const furtherLeaseUpdate = ({ window, tokens }: WindowRequest, limit: number, count: number) => ({
  UpdateExpression: "ADD #used :tokens, #requests :count",
  ConditionExpression: "#second = :second AND #used <= :room",
  ExpressionAttributeNames: { "#second": "second", "#used": "used", "#requests": "requests" },
  ExpressionAttributeValues: { ":second": window, ":tokens": tokens, ":count": count, ":room": limit - tokens },
});
