/**
 * Statements of the specification about the whole service, its records and their states: section -> id -> statement. An
 * id is never renumbered or reused; a new statement gets the next number of its section.
 */
export const resourceStatements = {
  Conventions: {
    "conventions-01": "Every timestamp on the wire is ISO 8601.",
    "conventions-02": "Every request and response body is JSON.",
    "conventions-03": "Every identifier of type uuid is a UUID string.",
  },
  Service: {
    "service-01": "One record per end user of a team ties the service's user id to the team's client_user_id.",
    "service-02": "A user connects to providers by OAuth, SDK, password, email or app.",
    "service-03": "The service ingests wearable data of a connected user from the provider.",
    "service-04": "The REST API returns wearable summaries.",
    "service-05": "Lab orders use the demographic and insurance details that the service stores for a user.",
  },
  "User fields": {
    "user-fields-01":
      "A user always has user_id, team_id, client_user_id, created_on, connected_sources and fallback_time_zone.",
    "user-fields-02": "user_id and team_id of a user are UUIDs, and created_on is a date-time.",
    "user-fields-03": "A connected source has created_on and a source with logo, name and slug.",
    "user-fields-04": "fallback_time_zone has an IANA id, a source_slug and a date-time updated_at.",
    "user-fields-05":
      "fallback_birth_date may be absent; if present it has value (a date), source_slug and updated_at.",
    "user-fields-06": "ingestion_start and ingestion_end are each a date, null or absent.",
    "user-fields-07": "The fallback time zone places data from a source without time zone.",
    "user-fields-08": "Maximum heart rate comes from fallback_birth_date where the provider gives no age.",
    "user-fields-09": "The service ingests no data from before ingestion_start or after ingestion_end.",
    "user-fields-10": "A client_user_id must not be personal data such as an email address or phone number.",
  },
  "User info fields": {
    "user-info-fields-01": "A request must have first_name, last_name, email, phone_number, gender, dob and address.",
    "user-info-fields-02": "email must be an email address in the request and is a plain string in the response.",
    "user-info-fields-03": "dob is a date in the form YYYY-MM-DD.",
    "user-info-fields-04": "An address has first_line, zip_code, state and city as strings; second_line may be null.",
    "user-info-fields-05": "A request may omit medical_proxy.",
    "user-info-fields-06":
      "A request may omit race, ethnicity, sexual_orientation and gender_identity, or set each to null.",
    "user-info-fields-07":
      "race, ethnicity, sexual_orientation and gender_identity document their values and accept others.",
    "user-info-fields-08": "The patient address of an order may carry access_notes.",
    "user-info-fields-09": "access_notes reach the phlebotomy provider on every booking and every reschedule.",
  },
  "Insurance fields": {
    "insurance-fields-01": "An insurance always has member_id, payor_code, relationship, insured and company.",
    "insurance-fields-02": "relationship documents Self, Spouse and Other and accepts others.",
    "insurance-fields-03": "The insured person has the seven required person fields of user info.",
    "insurance-fields-04": "group_id is a string, null or absent.",
    "insurance-fields-05": "guarantor may be absent.",
    "insurance-fields-06": "is_primary is true by default.",
  },
  "Provider fields": {
    "provider-fields-01": "A provider always has name, slug, description and logo, of which only logo may be null.",
    "provider-fields-02":
      "auth_type is null, absent, or one of an open set: oauth, team_oauth, sdk, password, email, app.",
    "provider-fields-03": "supported_resources, if present, lists resource names from the documented open set.",
    "provider-fields-04": "The slug of a provider does not change.",
  },
  "Grouped timeseries fields": {
    "grouped-timeseries-fields-01": "groups has provider slugs as keys, and each value is a list of group entries.",
    "grouped-timeseries-fields-02": "A group entry has a data list and a source with provider and type.",
    "grouped-timeseries-fields-03": "An item of data has date-time start and end, a string unit and a number value.",
  },
  "Marker fields": {
    "marker-fields-01": "A marker's id and lab_id are integers; name, slug, description, type and price are strings.",
    "marker-fields-02": "provider_id of a marker is the laboratory's own identifier.",
    "marker-fields-03": "unit of a marker may be null.",
    "marker-fields-04": "An expected result has id, name, slug, lab_id, provider_id and a loinc object.",
    "marker-fields-05": "A loinc object has id, name, slug and code, and a unit that may be null.",
    "marker-fields-06": "type distinguishes a biomarker from other kinds of marker.",
  },
  "Lab fields": {
    "lab-fields-01":
      "A lab always has id, slug, name, first_line_address, city, zipcode, collection_methods and sample_types.",
    "lab-fields-02": "collection_methods documents its four values and accepts others.",
    "lab-fields-03": "sample_types documents its six values and accepts others.",
  },
  "PSC fields": {
    "psc-fields-01":
      "metadata of a PSC has name, state, city, zip_code, first_line, second_line, phone_number and fax_number.",
    "psc-fields-02": "hours in the metadata of a PSC may be null.",
    "psc-fields-03": "distance of a PSC is a string with a number of miles.",
    "psc-fields-04":
      "capabilities is an open set: stat, appointment_scheduling_via_service, appointment_scheduling_with_lab.",
  },
  "Connection recipe fields": {
    "connection-recipe-fields-01":
      "A recipe has user_id, access_token, refresh_token, provider_id, expires_at and oauth_scopes.",
    "connection-recipe-fields-02": "expires_at of a recipe is an integer, and oauth_scopes a list of strings.",
    "connection-recipe-fields-03": "The tokens of a recipe are the live credentials of the connection.",
  },
  "Team list item fields": {
    "team-list-item-fields-01": "A listed team has a UUID id, a name and a date-time created_on.",
    "team-list-item-fields-02": "region of a listed team is us or eu.",
  },
  "User deletion": {
    "user-deletion-01": "DELETE moves an active user to pending erasure.",
    "user-deletion-02": "DELETE deregisters all provider connections of the user at once, not after the grace period.",
    "user-deletion-03": "Undo inside the grace period makes a pending user active again.",
    "user-deletion-04": "Undo does not bring provider connections back.",
    "user-deletion-05": "Undo fails once a new user has the same client_user_id, even inside the grace period.",
    "user-deletion-06": "A pending user becomes erased when the grace period ends without an undo.",
    "user-deletion-07": "Erasure removes the data of the user.",
  },
  "Other states": {
    "other-states-01": "Low-level order statuses include problem_in_transit_lab and problem_in_transit_customer.",
    "other-states-02":
      "Order statuses include problem_in_transit_customer and problem_in_transit_lab under collecting_sample.testkit.",
    "other-states-03": "Both order status enums accept other values.",
    "other-states-04": "A lab report parsing job ends in completed, failed or pending review.",
    "other-states-05": "A historical pull with a temporary problem shows Retrying, separate from permanent failure.",
  },
};
