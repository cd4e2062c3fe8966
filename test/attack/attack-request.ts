import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { assembleEvent } from "../fuzz/assemble-event.ts";
import { buildBody } from "../fuzz/build-body.ts";
import { FuzzRandom } from "../fuzz/fuzz-random.ts";
import type { SchemaValues } from "../fuzz/schema-values.ts";
import type { AttackTarget } from "./attack-targets.ts";

/** Ids by the singular name of their parameter or field. */
export type Ids = Readonly<Record<string, string>>;

/** What a request consists of, except for its ids. */
export interface RequestDraft {
  readonly target: AttackTarget;
  readonly headers: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly index: number;
}

/** Builds the valid request of a draft with these ids. The same draft differs by its ids alone. */
export function buildAttackRequest(draft: RequestDraft, ids: Ids, values: SchemaValues): APIGatewayProxyEventV2 {
  const { target, headers, seed, index } = draft;
  const { contract, path } = target;
  const draw = new FuzzRandom(seed, index);
  values.known = addRouteNames(contract.path, ids);
  const fit = values.generate(contract.params, draw) as Record<string, unknown>;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pathParameters = Object.fromEntries(
    names.map((name) => [name, values.known[name] ?? String(fit[name] ?? draw.uuid())]),
  );
  const query = Object.entries(values.generate(contract.query, draw) as Record<string, unknown>);
  const pairs = query.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const { body, type } = buildBody(target, values, draw, new Set());
  return assembleEvent({
    method: contract.method,
    path,
    pathParameters,
    rawQueryString: String(new URLSearchParams(pairs)),
    body: Buffer.from(
      body.toString("latin1").replace(/"wait_for_completion":\s*true/, '"wait_for_completion":false'),
      "latin1",
    ),
    type,
    headers,
    id: "attack",
  });
}

/** Adds the names under which a route takes ids of users, teams and webhooks. */
function addRouteNames(path: string, ids: Ids): Ids {
  const { team_id, user_id, client_user_id } = ids;
  const named: Record<string, string | undefined> = {
    id: path.startsWith("/fhir/Group") ? team_id : user_id,
    patient: user_id,
    query_id: client_user_id,
  };
  const known = Object.entries(named).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...ids, ...Object.fromEntries(known) };
}

/** Returns the text of a request in which ids occur. */
export const textOf = ({ rawPath, rawQueryString, body = "", isBase64Encoded }: APIGatewayProxyEventV2): string =>
  [
    rawPath,
    decodeURIComponent(rawQueryString.replaceAll("+", " ")),
    isBase64Encoded ? Buffer.from(body, "base64").toString("latin1") : body,
  ].join(" ");
