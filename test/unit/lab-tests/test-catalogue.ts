import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import { Catalogue } from "../../../lib/domain/lab-tests/catalogue.ts";

/** The bundled catalogue of the service. */
export const bundledCatalogue = new Catalogue(packed);
