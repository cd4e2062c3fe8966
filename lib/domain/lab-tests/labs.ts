import * as z from "zod";
import rows from "../../../data/lab-catalogue/labs.json" with { type: "json" };
import type { wireLab } from "./wire-lab-test.ts";

/** A laboratory of the catalogue. */
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

/** Every laboratory, in the order of their ids. */
export const labs: readonly Lab[] = rows;

const bySlug = new Map(labs.map((lab) => [lab.slug, lab]));
const byId = new Map(labs.map((lab) => [lab.id, lab]));

/** The laboratory with this slug, or undefined. */
export const labOf = (slug: string): Lab | undefined => bySlug.get(slug);

/** The laboratory with this id, or undefined. */
export const labWithId = (id: number): Lab | undefined => byId.get(id);

/** The slug of a laboratory that this service knows, for requests; answers use an open list. */
export const knownLab = z.enum(labs.map((lab) => lab.slug));

/** The id of a laboratory that this service knows, for requests. */
export const knownLabId = z.coerce
  .number()
  .int()
  .refine((id) => byId.has(id), "Not the id of a lab");

/** A laboratory as answers show it (spec, Lab). */
export function toWireLab({ state: _, ...lab }: Lab): z.input<typeof wireLab> {
  const { collection_methods, sample_types } = lab;
  return {
    ...lab,
    collection_methods: [...collection_methods],
    sample_types: [...sample_types],
    logo_url: null,
  };
}
