import { describeExpected, descriptionOf, schemaAt } from "../shared/expected-words.ts";
import { findSimilarNames } from "../shared/similar-names.ts";
import { toValueSchema, type ValueSchema } from "../shared/value-schema.ts";
import { resourceNames } from "../timeseries/resources.ts";
import { createRecordSchema, recordResources } from "./record-schemas.ts";
import { DELETED, type Rejection, type WireRejection } from "./rejection.ts";
import { describeReason } from "./rejection-help.ts";
import type { RejectionReason } from "./rejection-reasons.ts";

/** Maximum number of rejections of one response with full words. All later ones name their reason only. */
const MAX_DESCRIBED = 5_000;
/** Maximum number of unknown resources of one response that are compared with the known ones. */
const MAX_COMPARED = 20;

/** What is expected by the rules that no schema of a field expresses. */
const rules: Partial<Record<RejectionReason, string>> = {
  end_before_start: "Expected an end after the start of the record.",
  in_the_future: "Expected a time at most 24 hours after the arrival of the request.",
  out_of_bounds: "Expected a day within the ingestion bounds of the user, ingestion_start and ingestion_end.",
  too_large: "Expected a smaller record: this is its longest field, or the record as a whole.",
  too_dense: "Expected fewer samples in this period, at most about one a second.",
};

/**
 * Renders rejections with words about what is expected. The words derive from resource, field and reason alone, so they
 * cannot contain a sent value, and receipts need not store them.
 */
export function toWireRejections(rejections: readonly Rejection[]): WireRejection[] {
  const words = new RejectionWords();
  return rejections.map(({ resource, index, effect, field, reason, detail, omitted }, place) => {
    const known = place < MAX_DESCRIBED ? words.describe(resource, field, reason) : describeReason(reason);
    const left = omitted ? ` ${omitted[0]} of ${omitted[1]} values are left out.` : "";
    return { resource, index, effect, field, reason, detail: detail ?? known + left };
  });
}

/** Words about the rejections of one response. Equal rejections share them. */
class RejectionWords {
  readonly #schemas = new Map<string, ValueSchema | undefined>();
  readonly #words = new Map<string, string>();
  #compared = 0;

  describe(resource: string, field: string | null, reason: RejectionReason): string {
    const key = `${resource} ${field} ${reason}`;
    const words = this.#words.get(key) ?? this.#compose(resource, field, reason);
    this.#words.set(key, words);
    return words;
  }

  #compose(resource: string, field: string | null, reason: RejectionReason): string {
    if (reason === "unknown_resource") return this.#describeResources(resource);
    const rule = rules[reason];
    if (rule !== undefined) return rule;
    const record = this.#schemaOf(resource.replace(DELETED, ""));
    const schema = record && schemaAt(record, field === null ? [] : field.split("."));
    if (!schema) return describeReason(reason);
    const description = descriptionOf(schema);
    return `Expected ${describeExpected(schema)}.${description ? ` ${description}.` : ""}`;
  }

  #schemaOf(resource: string): ValueSchema | undefined {
    if (!this.#schemas.has(resource)) {
      const schema = createRecordSchema(resource);
      this.#schemas.set(resource, schema && toValueSchema(schema));
    }
    return this.#schemas.get(resource);
  }

  #describeResources(resource: string): string {
    const isDeletion = resource.startsWith(DELETED);
    const names = isDeletion ? resourceNames : recordResources;
    const given = resource.replace(DELETED, "");
    const similar = this.#compared++ < MAX_COMPARED ? findSimilarNames(given, names) : [];
    const hint = similar.length > 0 ? ` Similar: ${similar.join(", ")}.` : "";
    return `Expected a resource of the service${isDeletion ? " with samples" : ""}.${hint} ${LIST_OF_RESOURCES}`;
  }
}

const LIST_OF_RESOURCES = "The list is in /openapi.json, in the body of POST /v2/ingest/{user_id}.";
