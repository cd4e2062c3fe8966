import { isTimeZoneName } from "../../domain/shared/time-zone.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, option, path, text } from "../frame/values.ts";
import { apiOptions, resolveApi, resolveUser, userOption } from "../service/api-target.ts";

const zone = text.refine(isTimeZoneName, "must be an IANA time zone, such as Europe/Berlin");

export const importExport = declareCommand({
  name: "import",
  summary: "Imports an export file of a provider for a user",
  description: [
    "Recognises exports of Apple Health, Garmin, Fitbit, Google Fit, Samsung Health, Oura and WHOOP by their content.",
    "Takes the zip file of an export, or one file of it, such as export.xml or a FIT file.",
    "An import may be repeated: unchanged samples stay as they are.",
  ],
  args: { file: argument("<export>", "zip file of an export, or one file of it", path) },
  options: {
    zone: option("<name>", "IANA time zone of local times, where the export states none", zone.optional()),
    ...userOption,
    ...apiOptions,
  },
  examples: [
    ["import export.zip", "for the demo user of a running npm start"],
    ["import export.zip --user <user id>", "for another user"],
    ["import activity.fit --user <user id> --url https://api.example.com --key <API key>", "at another service"],
    ["import takeout.zip --zone Europe/Berlin", "with the zone of local times"],
  ],
  json: "option",
  run: async ({ file, user, zone, ...api }, session) => {
    const { importFile } = await import("../../connectors/imports/import-file.ts");
    const { IngestClient } = await import("../../connectors/imports/sending/ingest-client.ts");
    const { formatExamples, formatTotalsTable } = await import("../../connectors/imports/sending/totals-table.ts");
    const { createImportObserver } = await import("../import/import-observer.ts");
    const { toImportJson } = await import("../import/import-json.ts");
    const target = { ...resolveApi(api), userId: resolveUser(user) };
    const totals = await importFile(file, new IngestClient(target), createImportObserver(), { zone });
    session.print(formatTotalsTable(totals));
    const examples = formatExamples(totals);
    if (examples !== "") session.print(`\n${examples}`);
    if (totals.difference !== 0) session.note(`The totals do not add up: off by ${totals.difference}.`);
    return { data: toImportJson(totals), isOk: totals.difference === 0 && totals.damaged.length === 0 };
  },
});
