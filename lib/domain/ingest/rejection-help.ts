import type { ErrorHelp } from "../../contract/error-help.ts";
import type { RejectionReason } from "./rejection-reasons.ts";

/** Why records and fields are refused, and what helps. docs/errors.md shows it. */
export const rejectionHelp: Readonly<Record<RejectionReason, ErrorHelp>> = {
  bad_time: {
    cause: "A time is missing or malformed, or contradicts another time of the record.",
    remedy: "Send an ISO 8601 date-time with an offset or `Z`, or a date where `detail` says so.",
  },
  end_before_start: {
    cause: "The record ends before it starts. A sleep or a workout also has a duration.",
    remedy: "Check the order of both times and their offsets.",
  },
  in_the_future: {
    cause: "The time is more than 24 hours after the arrival of the request.",
    remedy: "Check the clock and the offset of the sender.",
  },
  out_of_bounds: {
    cause: "The day lies outside the ingestion bounds of the user.",
    remedy: "Change `ingestion_start` and `ingestion_end` of the user, or leave out the record.",
  },
  bad_type: {
    cause: "The `type` of a sample is missing or has an unknown value.",
    remedy: "Send one of the values that `detail` lists.",
  },
  bad_value: {
    cause: "The value of a sample has another type, or is not allowed for this resource.",
    remedy: "Send the value as `detail` describes, a number without quotes.",
  },
  unknown_unit: {
    cause: "The unit of a sample does not exist, or does not convert to the unit of the resource.",
    remedy: "Send the unit of the resource, or a UCUM code of the same kind.",
  },
  value_out_of_range: {
    cause: "A value, a length or a duration lies outside plausible bounds.",
    remedy: "Check the unit of the value, and compare it with the range in `detail`.",
  },
  bad_field: {
    cause: "A field is missing or has another type, or its value is not allowed.",
    remedy: "Send the field as `detail` describes, or leave it out if it is optional.",
  },
  too_large: {
    cause: "The record is too large to store.",
    remedy: "Shorten its longest field.",
  },
  unknown_resource: {
    cause: "The service has no resource of this name. Only samples can be deleted.",
    remedy: "Use a name that `detail` suggests, or one from the list of resources in the OpenAPI document.",
  },
  too_dense: {
    cause: "There are more samples in one period than the service stores.",
    remedy: "Send fewer samples of this period, for example one a second.",
  },
};

/** Says what a reason means. Stored rejections may have a reason of another version. */
export const describeReason = (reason: RejectionReason): string =>
  rejectionHelp[reason]?.cause ?? "The record is invalid.";
