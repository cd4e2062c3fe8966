import * as z from "zod";
import { sourceFields } from "./source-fields.ts";
import { shortText } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const fields = {
  device_manufacturer: shortText("Manufacturer"),
  device_model: shortText("Model"),
  device_version: shortText("Version of hardware or firmware"),
};

const deviceId = z.string().min(1).max(256).describe("The provider's id of the device, as in batches");

/** A device of the user: one per source and provider's id. */
export const devices = defineSummaryKind({
  name: "devices",
  identity: ["device_id"],
  ingest: z.object({ device_id: deviceId, ...fields }),
  wireFields: {
    provider: sourceFields.source_provider,
    source_type: sourceFields.source_type,
    app_id: sourceFields.source_app_id,
    ...fields,
    device_id: deviceId,
  },
  ofSource: ({ provider, type, app_id }) => ({ provider, source_type: type, app_id }),
  prepare: (given) => ({ key: given.device_id, providerId: given.device_id, fields: given }),
});
