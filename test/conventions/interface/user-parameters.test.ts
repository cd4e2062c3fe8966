import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "../../../functions/index.ts";
import { accessLogMode } from "../../../lib/contract/access-log-mode.ts";
import { namesUser, userParametersOf } from "../../../lib/contract/user-parameters.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** Ids of objects. A person who has one has seen the object, or a list of them. */
const ofObjects = words(`
  consent_id device_id event_id export_id job_id order_id order_ids order_transaction_id payload_id
  query_id query_id_or_slug raw_result_id receipt_id run_id sleep_id target transaction_id webhook_id
  workout_id
`);
/** Texts that find users by a part of a name. */
const ofNames = words(`
  patient_name search_input shipping_recipient_name
`);
/** Parameters that concern no user. */
const ofNobody = words(`
  _count _format _lastUpdated _outputFormat _since _type _until after allow_stale as_of authored
  capabilities category code collected collection_date created_at_end created_at_start cursor date
  decision_code delay end end_date expires_at explain final_status interpretation is_critical is_primary
  kind lab lab_slug limit next_cursor number number_of_labels offset operation order_activation_types
  order_direction order_key order_type page page_size part place points provider radius resource since
  site_codes size start start_date status timeout type until updated_end_date updated_start_date user_limit
  zip_code
`);
/** Routes whose `id` or `identifier` is that of a resource other than a Patient. */
const otherIds = words(`
  getFhirDevice getFhirLabResource getFhirObservation getFhirProvenance requestFhirGroupExport searchFhirDevices
  startFhirGroupExport startFhirPatientExport
`);

/** Routes that a session of the console reaches, and that the access log records. */
const recorded = endpoints.filter(
  (contract) =>
    ["team", "console", "portal", "review"].includes(contract.auth) && accessLogMode(contract) !== undefined,
);

test("each parameter of a recorded route names a user by its declaration, or is known to name none", () => {
  const known = new Set([...ofObjects, ...ofNames, ...ofNobody]);
  const unknown = recorded.flatMap((contract) => {
    const ways = userParametersOf(contract);
    const names = [...Object.keys(contract.params.shape), ...Object.keys(contract.query.shape)];
    const isKnown = (name: string) =>
      name in ways || (["id", "identifier"].includes(name) ? otherIds.includes(contract.operationId) : known.has(name));
    return names.filter((name) => !isKnown(name)).map((name) => `${contract.operationId} ${name}`);
  });
  expect(recorded.length).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});

/** The fields of a body, also of one that may be absent. */
function shapeOf(body: unknown): object {
  if (body instanceof z.ZodOptional) return shapeOf(body.unwrap());
  return body instanceof z.ZodObject ? body.shape : {};
}

test("what a route declares besides is among its parameters and fields", () => {
  const missing = endpoints.flatMap(({ operationId, userParameters = {}, params, query, body }) => {
    const fields = shapeOf(body);
    const given = Object.keys({ ...params.shape, ...query.shape, ...fields });
    return Object.keys(userParameters)
      .filter((name) => !given.includes(name))
      .map((name) => `${operationId} ${name}`);
  });
  expect(missing).toEqual([]);
});

describe("a request names a user", () => {
  const id = "7ea70000-0000-4000-8000-000000000001";
  const search = { userParameters: { search: "user_id" } } as const;
  test.each([
    ["by an id in its path", {}, { params: { user_id: id } }, true],
    ["by an id in its query", {}, { query: { patient: [id] } }, true],
    ["by an id in its body", {}, { body: { user_ids: [id] } }, true],
    ["by the id of the team", {}, { params: { client_user_id: "a person" } }, true],
    ["by a search for a complete id", search, { query: { search: id.toUpperCase() } }, true],
    ["not by the beginning of one", search, { query: { search: id.slice(0, 35) } }, false],
    ["not by a parameter that is absent", {}, { query: { user_id: undefined, client_user_id: null } }, false],
    ["not by an object", {}, { params: { order_id: id }, body: "text" }, false],
  ] as const)("%s", (_, route, input, names) => {
    expect(namesUser(route, input)).toBe(names);
  });
});
