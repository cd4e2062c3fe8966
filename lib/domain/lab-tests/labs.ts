import * as z from "zod";
import rows from "../../../data/lab-catalogue/labs.json" with { type: "json" };
import type { wireLab } from "./wire-lab-test.ts";

/** Laboratory of the catalogue. */
export interface Lab {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly first_line_address: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly collection_methods: readonly string[];
  readonly sample_types: readonly string[];
}

/** All laboratories, ordered by id. */
export const labs: readonly Lab[] = rows;

const labsBySlug = new Map(labs.map((lab) => [lab.slug, lab]));
const labsById = new Map(labs.map((lab) => [lab.id, lab]));

/** Finds a laboratory by slug. */
export const findLab = (slug: string): Lab | undefined => labsBySlug.get(slug);

/** Finds a laboratory by id. */
export const findLabById = (id: number): Lab | undefined => labsById.get(id);

/** Slug of a known laboratory, for requests. Responses use an open enum. */
export const knownLab = z.enum(labs.map((lab) => lab.slug));

/** Id of a known laboratory, for requests. */
export const knownLabId = z.coerce
  .number()
  .int()
  .refine((id) => labsById.has(id), "Unknown lab id");

/** Converts a laboratory to its wire format. */
export function toWireLab({ state: _, ...lab }: Lab): z.input<typeof wireLab> {
  const { collection_methods, sample_types } = lab;
  return {
    ...lab,
    collection_methods: [...collection_methods],
    sample_types: [...sample_types],
    logo_url: null,
  };
}
