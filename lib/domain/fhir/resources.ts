import * as z from "zod";

/** The parts of FHIR R4 data types and resources that this service writes. */

export interface Coding {
  readonly system: string;
  readonly code: string;
  readonly display?: string;
}

export interface CodeableConcept {
  readonly coding?: readonly Coding[];
  readonly text?: string;
}

interface Identifier {
  readonly system: string;
  readonly value: string;
}

export interface Reference {
  readonly reference?: string;
  readonly type?: string;
  readonly identifier?: Identifier;
  readonly display?: string;
}

export interface Quantity {
  readonly value: number;
  readonly comparator?: string;
  readonly unit?: string;
  readonly system?: string;
  readonly code?: string;
}

interface Period {
  readonly start: string;
  readonly end?: string;
}

/** The value of an observation or component. Exactly one is present. */
export interface ObservationValue {
  readonly valueQuantity?: Quantity;
  readonly valueCodeableConcept?: CodeableConcept;
  readonly valueString?: string;
  readonly valueBoolean?: boolean;
  readonly valuePeriod?: Period;
  readonly valueRange?: Pick<ReferenceRange, "low" | "high">;
}

export interface ObservationComponent extends ObservationValue {
  readonly extension?: readonly { readonly url: string; readonly valueDate: string }[];
  readonly code: CodeableConcept;
}

/** When an observation holds: an instant, a day or a period. */
export interface Effective {
  readonly effectiveDateTime?: string;
  readonly effectivePeriod?: Period;
}

/** A resource with an id. */
export interface FhirResource {
  readonly resourceType: string;
  readonly id: string;
  readonly meta?: {
    readonly lastUpdated?: string;
    readonly source?: string;
    readonly profile?: readonly string[];
    readonly tag?: readonly Coding[];
  };
}

export interface ReferenceRange {
  readonly low?: Quantity;
  readonly high?: Quantity;
  readonly text?: string;
}

export interface Observation extends FhirResource, ObservationValue, Effective {
  readonly resourceType: "Observation";
  readonly identifier?: readonly Identifier[];
  readonly basedOn?: readonly Reference[];
  readonly status: "preliminary" | "final" | "corrected";
  readonly category: readonly CodeableConcept[];
  readonly code: CodeableConcept;
  readonly subject: Reference;
  readonly issued?: string;
  readonly performer?: readonly Reference[];
  readonly dataAbsentReason?: CodeableConcept;
  readonly interpretation?: readonly CodeableConcept[];
  readonly note?: readonly { readonly text: string }[];
  readonly bodySite?: CodeableConcept;
  readonly method?: CodeableConcept;
  readonly specimen?: Reference;
  readonly device?: Reference;
  readonly referenceRange?: readonly ReferenceRange[];
  readonly derivedFrom?: readonly Reference[];
  readonly component?: readonly ObservationComponent[];
}

export interface BundleEntry {
  readonly fullUrl?: string;
  readonly resource: unknown;
  readonly search: { readonly mode: "match" | "outcome" };
}

/** One page of a search. `total` is absent, because counting would read everything. */
export interface SearchBundle {
  readonly resourceType: "Bundle";
  readonly type: "searchset";
  readonly link: readonly { readonly relation: "self" | "next"; readonly url: string }[];
  readonly entry?: readonly BundleEntry[];
}

/** Response schema of a resource of one type. FHIR R4 defines its other elements. */
export const wireResource = (resourceType: string) =>
  z
    .looseObject({ resourceType: z.literal(resourceType), id: z.string() })
    .meta({ id: `Fhir${resourceType}`, description: `FHIR R4 resource ${resourceType}` });

/** Response schema of a page of a search. */
export const wireBundle = z
  .looseObject({
    resourceType: z.literal("Bundle"),
    type: z.literal("searchset"),
    link: z.array(z.object({ relation: z.string(), url: z.string() })),
    entry: z
      .array(
        z.looseObject({
          fullUrl: z.string().optional(),
          resource: z.looseObject({ resourceType: z.string() }),
          search: z.object({ mode: z.enum(["match", "outcome"]) }),
        }),
      )
      .optional(),
  })
  .meta({ id: "FhirBundle", description: "One page of a search. The link `next` is present while more pages follow" });
