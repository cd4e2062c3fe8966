import { declareCommand } from "../frame/declaration.ts";
import { argument, path } from "../frame/values.ts";
import { apiOptions, resolveApi, resolveUser, userOption } from "../service/api-target.ts";

export const importExport = declareCommand({
  name: "import",
  summary: "Imports an Apple Health export for a user",
  description: [
    "Takes the zip file of Export All Health Data of the Health app, or the export.xml in it.",
    "An import may be repeated: unchanged samples stay as they are.",
  ],
  args: { file: argument("<export>", "export.zip or export.xml", path) },
  options: { ...userOption, ...apiOptions },
  examples: [
    ["import export.zip", "for the demo user of a running npm start"],
    ["import export.zip --user <user id>", "for another user"],
    ["import export.xml --user <user id> --url https://api.example.com --key <API key>", "at another service"],
  ],
  json: "option",
  run: async ({ file, user, ...api }, session) => {
    const { importHealthExport } = await import("../../connectors/apple-health-export/import-health-export.ts");
    const { IngestClient } = await import("../../connectors/apple-health-export/ingest-client.ts");
    const { formatExamples, formatTotalsTable } = await import("../../connectors/apple-health-export/totals-table.ts");
    const { createImportObserver } = await import("../import/import-observer.ts");
    const { toImportJson } = await import("../import/import-json.ts");
    const target = { ...resolveApi(api), userId: resolveUser(user) };
    const totals = await importHealthExport(file, new IngestClient(target), createImportObserver());
    session.print(formatTotalsTable(totals));
    const examples = formatExamples(totals);
    if (examples !== "") session.print(`\n${examples}`);
    if (totals.difference !== 0) session.note(`The totals do not add up: off by ${totals.difference}.`);
    return { data: toImportJson(totals), isOk: totals.difference === 0 };
  },
});
