import type { APIGatewayProxyEventV2 } from "aws-lambda";

type Event = APIGatewayProxyEventV2;

/** A place in a request where an id stands. */
export interface IdPlace {
  readonly where: "path" | "query" | "header" | "body";
  /** The name of the parameter, header or key that the id is the value of; a list has that of its key. */
  readonly name: string;
  readonly value: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;
/** Ids that are not UUIDs, by the names that they have; a key of idempotency is one of the team that sent it. */
const NAMED = /^(client_user_id|integration_team_id|query_id|query_id_or_slug|event_id|sample_id|x-idempotency-key)$/;
/** Keys of JSON, and names of the parts of a form. */
const KEY = /"(\w+)"\s*:|name="(\w+)"/g;
const VALUE_OF_KEY = /"(\w+)"\s*:\s*"([^"\\]+)"/g;
/** Operations to which a name is new: whose it is elsewhere means nothing. */
const NAMING =
  /^(POST \/v2\/user|PATCH \/v2\/user\/\{user_id\}|(POST|PATCH) \/v1\/org\/\{org_id\}\/team(\/\{team_id\})?)$/;

/** All UUIDs of a text, in lower case. */
export const uuidsIn = (text: string): string[] => [...text.matchAll(UUID)].map(([uuid]) => uuid.toLowerCase());

/** The text of an answer without what differs from one to the next: UUIDs, instants and the number of the request. */
export const withoutIds = (text: string): string =>
  text
    .replaceAll(/"request_id":"[^"]*"/g, "")
    .replaceAll(UUID, "id")
    .replaceAll(INSTANT, "instant");

/** The text of a request's body; bytes that are no text become the characters of their numbers. */
export const bodyOf = ({ body = "", isBase64Encoded }: Event): string =>
  isBase64Encoded ? Buffer.from(body, "base64").toString("latin1") : body;

/** Every place of a request that has an id, each value of a place once. */
export function idPlacesOf(event: Event): IdPlace[] {
  const { pathParameters = {}, rawQueryString, headers, routeKey } = event;
  const named = (where: IdPlace["where"], pairs: Iterable<readonly [string, string | undefined]>) =>
    [...pairs].flatMap(([name, text = ""]) => {
      const isNamed = NAMED.test(name) && !(where === "body" && NAMING.test(routeKey));
      const values = isNamed ? [text] : uuidsIn(text);
      return values.map((value): IdPlace => ({ where, name, value }));
    });
  const body = bodyOf(event);
  const keyed = Object.entries(headers).filter(([name]) => NAMED.test(name));
  const found = [
    ...named("path", Object.entries(pathParameters)),
    ...named("query", new URLSearchParams(rawQueryString)),
    ...named("header", keyed),
    ...[...body.matchAll(UUID)].map(({ 0: value, index }) => ({
      where: "body" as const,
      name: keyAt(body, index),
      value,
    })),
    ...named(
      "body",
      [...body.matchAll(VALUE_OF_KEY)].map(([, name = "", value]) => [name, value] as const),
    ),
  ];
  return [...new Map(found.map((place) => [`${place.where} ${place.name} ${place.value}`, place])).values()];
}

function keyAt(body: string, index: number): string {
  const [, key, part] = [...body.slice(0, index).matchAll(KEY)].at(-1) ?? [];
  return key ?? part ?? "";
}

/** The request with another value at a place. */
export function withId(event: Event, { where, name, value }: IdPlace, other: string): Event {
  if (where === "header") return { ...event, headers: { ...event.headers, [name]: other } };
  if (where === "path") {
    const { pathParameters = {}, rawPath } = event;
    const changed = { ...pathParameters, [name]: pathParameters[name]?.replace(value, other) ?? other };
    return { ...event, pathParameters: changed, rawPath: rawPath.replace(value, other) };
  }
  if (where === "body") {
    const body = bodyOf(event).replaceAll(value, other);
    return { ...event, body: event.isBase64Encoded ? Buffer.from(body, "latin1").toString("base64") : body };
  }
  const given = [...new URLSearchParams(event.rawQueryString)];
  const query = given.map(([key, text]) => [key, key === name ? text.replace(value, other) : text]);
  return { ...event, rawQueryString: String(new URLSearchParams(query)) };
}

/** What a team may use once: with the value of others it is tried once, and with another value for all else. */
export const isUsedUp = ({ name }: IdPlace): boolean => /^(x-idempotency-key|sample_id)$/.test(name);

/** A value that fits a place, and is nobody's. */
export function unknownAt(place: IdPlace): string {
  const { value } = place;
  if (isUsedUp(place) || isUuid(value)) return crypto.randomUUID();
  const [prefix] = /^(evt_|test_)?/.exec(value) ?? [""];
  const letter = () => String.fromCharCode(97 + Math.floor(Math.random() * 26));
  return prefix + value.slice(prefix.length).replaceAll(/[a-z]/g, letter);
}

export const isUuid = (value: string): boolean => uuidsIn(value).join() === value.toLowerCase();
