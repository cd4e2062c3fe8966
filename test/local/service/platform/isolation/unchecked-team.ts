import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { contracts } from "../../../../../functions/index.ts";
import { moduleOptions } from "../../../../../lib/build/module-options.ts";
import { prepareModule } from "../../../../../lib/build/plugins/source-modules.ts";
import { entryFile } from "../../../../../lib/contract/entry-file.ts";
import { readFunctions } from "../../../../../lib/local/template/read-functions.ts";
import type { TestService } from "../../../../support/service.ts";
import { findFunctionName } from "../../support/stored-items.ts";

/** Global with the team whose data functions of the double use, instead of the team of their caller. */
const OTHER_TEAM = "otherTeam";

const CALL = "const call = { ...input, ...caller, ";
const SWAPPED = `${CALL}...(globalThis.${OTHER_TEAM} ? { scope: { teamId: globalThis.${OTHER_TEAM} } } : {}), `;

/** Hands every function the scope of another team, as code without a check of the team would use it. */
const swapScope: Plugin = {
  name: "swap-scope",
  setup({ onLoad }) {
    onLoad({ filter: /lib\/runtime\/implement\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes(CALL)) throw new Error("implement.ts passes the caller in another way");
      return { contents: prepareModule(text.replace(CALL, SWAPPED)), loader: "ts" };
    });
  },
};

/**
 * Replaces the code of functions in a running service by code without a check of the team. Role, environment and routes
 * stay.
 * @param directory an empty directory for the code.
 */
export async function removeTeamChecks(
  service: TestService,
  operationIds: readonly string[],
  directory: string,
): Promise<void> {
  const chosen = contracts.filter(({ operationId }) => operationIds.includes(operationId));
  await build({
    ...moduleOptions,
    plugins: [swapScope, ...moduleOptions.plugins],
    entryPoints: chosen.map((contract) => ({ in: entryFile(contract), out: join("code", contract.operationId) })),
    outdir: directory,
    splitting: true,
  });
  const functions = readFunctions(service.cloud.assembly);
  for (const { operationId } of chosen) {
    const own = join(directory, operationId);
    await mkdir(own);
    await writeFile(join(own, "index.mjs"), `export { handler } from "../code/${operationId}.mjs";\n`);
    const fn = functions.find(({ name }) => name === findFunctionName(service, operationId));
    if (fn) service.cloud.host.aliases.point(fn.arn, { ...fn, directory: own });
  }
}

/** Runs requests during which the functions of the double use the data of this team. */
export async function asIfOf<T>(teamId: string, ask: () => Promise<T>): Promise<T> {
  Object.assign(globalThis, { [OTHER_TEAM]: teamId });
  try {
    return await ask();
  } finally {
    Object.assign(globalThis, { [OTHER_TEAM]: undefined });
  }
}
