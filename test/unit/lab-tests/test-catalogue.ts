import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import { Catalogue } from "../../../lib/domain/lab-tests/catalogue.ts";

/** The catalogue as the service carries it. */
export const catalogue = new Catalogue(packed);
