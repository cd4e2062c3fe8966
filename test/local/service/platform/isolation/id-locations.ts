import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { parseObservationId } from "../../../../../lib/domain/fhir/observation-id.ts";

type Event = APIGatewayProxyEventV2;

/** The position of an id in a request. */
export interface IdLocation {
  readonly where: "path" | "query" | "header" | "body";
  /** Name of the parameter, header or key whose value is the id; the values of a list have the key of the list. */
  readonly name: string;
  readonly value: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;
/** Names of ids that are not UUIDs. The team that sends an idempotency key owns it. */
const NAMED_ID_FIELD =
  /^(client_user_id|integration_team_id|query_id|query_id_or_slug|event_id|sample_id|x-idempotency-key)$/;
/** JSON keys, and part names of a form. */
const KEY_PATTERN = /"(\w+)"\s*:|name="(\w+)"/g;
const VALUE_OF_KEY = /"(\w+)"\s*:\s*"([^"\\]+)"/g;
/** Operations that assign a name, where another team's use of the same name has no effect. */
const NAMING_OPERATION =
  /^(POST \/v2\/user|PATCH \/v2\/user\/\{user_id\}|(POST|PATCH) \/v1\/org\/\{org_id\}\/team(\/\{team_id\})?)$/;

/** Returns all UUIDs of a text in lower case. */
export const findUuids = (text: string): string[] => [...text.matchAll(UUID)].map(([uuid]) => uuid.toLowerCase());

/** An id of a FHIR Observation of a sample, which encodes the id of its user. */
const SAMPLE_ID = /\bs\w{42}\b/g;

/** Returns the UUIDs that a request sends, also those within ids of Observations. */
export const findSentUuids = (text: string): string[] => {
  const samples = [...text.matchAll(SAMPLE_ID)].map(([id]) => parseObservationId(id));
  return [...findUuids(text), ...samples.flatMap((one) => (one?.kind === "sample" ? one.userId : []))];
};

/** Replaces the variable parts of a response: UUIDs, instants and the request id. */
export const maskIds = (text: string): string =>
  text
    .replaceAll(/"request_id":"[^"]*"/g, "")
    .replaceAll(UUID, "id")
    .replaceAll(INSTANT, "instant");

/** Returns the text of a request body; binary bytes become the characters with their codes. */
export const decodeBody = ({ body = "", isBase64Encoded }: Event): string =>
  isBase64Encoded ? Buffer.from(body, "base64").toString("latin1") : body;

/** Returns every id of a request with its location, each value of a location once. */
export function findIdLocations(event: Event): IdLocation[] {
  const { pathParameters = {}, rawQueryString, headers, routeKey } = event;
  const named = (where: IdLocation["where"], pairs: Iterable<readonly [string, string | undefined]>) =>
    [...pairs].flatMap(([name, text = ""]) => {
      const isNamed = NAMED_ID_FIELD.test(name) && !(where === "body" && NAMING_OPERATION.test(routeKey));
      const values = isNamed ? [text] : findUuids(text);
      return values.map((value): IdLocation => ({ where, name, value }));
    });
  const body = decodeBody(event);
  const keyed = Object.entries(headers).filter(([name]) => NAMED_ID_FIELD.test(name));
  const found = [
    ...named("path", Object.entries(pathParameters)),
    ...named("query", new URLSearchParams(rawQueryString)),
    ...named("header", keyed),
    ...[...body.matchAll(UUID)].map(({ 0: value, index }) => ({
      where: "body" as const,
      name: findKeyBefore(body, index),
      value,
    })),
    ...named(
      "body",
      [...body.matchAll(VALUE_OF_KEY)].map(([, name = "", value]) => [name, value] as const),
    ),
  ];
  return [...new Map(found.map((place) => [`${place.where} ${place.name} ${place.value}`, place])).values()];
}

function findKeyBefore(body: string, index: number): string {
  const [, key, part] = [...body.slice(0, index).matchAll(KEY_PATTERN)].at(-1) ?? [];
  return key ?? part ?? "";
}

/** Returns the request with another value at a location. */
export function replaceId(event: Event, { where, name, value }: IdLocation, other: string): Event {
  if (where === "header") return { ...event, headers: { ...event.headers, [name]: other } };
  if (where === "path") {
    const { pathParameters = {}, rawPath } = event;
    const changed = { ...pathParameters, [name]: pathParameters[name]?.replace(value, other) ?? other };
    return { ...event, pathParameters: changed, rawPath: rawPath.replace(value, other) };
  }
  if (where === "body") {
    const body = decodeBody(event).replaceAll(value, other);
    return { ...event, body: event.isBase64Encoded ? Buffer.from(body, "latin1").toString("base64") : body };
  }
  const given = [...new URLSearchParams(event.rawQueryString)];
  const query = given.map(([key, text]) => [key, key === name ? text.replace(value, other) : text]);
  return { ...event, rawQueryString: String(new URLSearchParams(query)) };
}

/** Whether a team may use the id once. The other team's value is tested once; all other tests use a new value. */
export const isSingleUse = ({ name }: IdLocation): boolean => /^(x-idempotency-key|sample_id)$/.test(name);

/** Creates a value of the same format that belongs to no team. */
export function createUnknownId(place: IdLocation): string {
  const { value } = place;
  if (isSingleUse(place) || isUuid(value)) return crypto.randomUUID();
  const [prefix] = /^(evt_|test_)?/.exec(value) ?? [""];
  const letter = () => String.fromCharCode(97 + Math.floor(Math.random() * 26));
  return prefix + value.slice(prefix.length).replaceAll(/[a-z]/g, letter);
}

export const isUuid = (value: string): boolean => findUuids(value).join() === value.toLowerCase();
