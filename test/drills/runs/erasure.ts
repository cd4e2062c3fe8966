import { Progress } from "../../../lib/cli/progress.ts";
import { setPullDays } from "../../local/service/connections/link-helpers.ts";
import { runErasureDrill } from "../../local/service/erasure/erasure-drill.ts";
import { TestService } from "../../support/service.ts";

/** Erases some users while calls fail. @returns the exit code: 1 when their data is left, or others lost data. */
export async function erasure(users: number, erased: number, seed: number): Promise<number> {
  const service = await TestService.start();
  await setPullDays(service, 1);
  const progress = new Progress({ label: "Users", total: users, unit: "users" });
  const report = await runErasureDrill(service, { users, erased, seed }, (done) => progress.update(done));
  const { searched, files, collateral, consents } = report;
  progress.done(`${erased} of ${users} users erased (seed ${seed}), ${Math.round(progress.elapsedMs / 1000)} s.`);
  const where = [...new Set(files.map(({ file }) => file))].join(", ");
  const lines = [
    `${report.struck} injected faults; ${report.certificates} certificates; consents ${JSON.stringify(consents)}.`,
    `Before: ${report.before} items contained data of the erased users. After: ${report.items} of ${searched.items} items,`,
    `decompressed, and ${files.length} places in ${searched.files} files of ${searched.bytes} bytes ${where}.`,
    `The files contain ${report.othersInFiles} of the ${users - erased} other users.`,
    `Execution histories and logs, which expire after 90 days, contain the ids of ${report.logged} erased users.`,
    `Other users: ${report.othersItems} items compared, ${collateral.length} differ or are missing.`,
    ...collateral.slice(0, 10),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  const isSearched = report.othersInFiles === users - erased;
  const isClean = isSearched && report.items === 0 && files.length === 0 && collateral.length === 0;
  return isClean && report.certificates === erased ? 0 : 1;
}
