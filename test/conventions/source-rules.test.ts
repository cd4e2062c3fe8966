import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consumers } from "../../functions/index.ts";
import { linkTokenHeaders, managementKeyHeaders, teamKeyHeaders } from "../../lib/contract/compatibility.ts";
import { entryFile } from "../../lib/contract/entry-file.ts";

/** Matching lines, as `file:line`. */
function findLines(pattern: string, sought: RegExp, exempt: readonly string[] = []): string[] {
  const files = globSync(pattern).filter((file) => !exempt.includes(file));
  return files.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, at) => (sought.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : []));
  });
}

describe("time and randomness", () => {
  const pure = "{functions,lib/contract,lib/domain,lib/events,lib/store,lib/crypto,lib/simulators}/**/*.ts";

  test("reach functions, domain and stores only as arguments", () => {
    expect(findLines(pure, /Date\.now|new Date\(\s*\)|Math\.random|performance\.now/)).toEqual([]);
  });

  test("come from the ports only in runtime and services", () => {
    const sought = /Date\.now|new Date\(\s*\)|Math\.random|randomUUID\(/;
    expect(findLines("lib/{runtime,services}/**/*.ts", sought, ["lib/runtime/ports.ts"])).toEqual([]);
  });
});

describe("access to a team's data", () => {
  test("is granted by authentication, by consumers and by management keys that name a team", () => {
    const granting = [
      "lib/runtime/callers/authenticate.ts",
      "lib/runtime/callers/credential-validity.ts",
      "lib/runtime/callers/team-path.ts",
      "lib/services/management/team-scopes.ts",
      "lib/runtime/callers/authenticate-link.ts",
      "lib/runtime/callers/authenticate-session.ts",
      "lib/services/connections/oauth/finish-oauth.ts",
      "lib/services/connections/providers/provider-app.ts",
      "lib/services/connections/pushes/receive-push.ts",
      "functions/sdk/create-session.ts",
      "functions/sdk/refresh-session.ts",
      "lib/runtime/callers/console/authenticate-console.ts",
      "lib/services/console/open-session.ts",
      // The team whose provider the browser chose, which then says who the person is.
      "lib/services/console/sign-in/begin-sign-in.ts",
      "lib/services/console/sign-in/finish-sign-in.ts",
      "lib/services/portal/open-user-portal.ts",
      // It authenticates a SMART client, whose id names the team.
      "lib/services/fhir/smart/issue-token.ts",
      "functions/management/get-usage.ts",
      "functions/management/list-team-etl-pipelines.ts",
      "functions/management/set-team-etl-pipeline.ts",
      "functions/management/delete-team-etl-pipeline.ts",
      // Public keys, which anyone may read.
      "functions/providers/list-consent-keys.ts",
      "functions/management/get-usage.ts",
      // Commands that an operator runs with the operator's rights.
      "lib/services/erasure/reapply-erasures.ts",
      "lib/start/restore/key-change.ts",
      "lib/start/restore/restore-deployment.ts",
      ...consumers.map(entryFile),
    ];
    expect(findLines("{bin,lib,functions}/**/*.ts", /TeamScope\.grant/, granting)).toEqual([]);
  });
});

describe("other vendors' names", () => {
  /** Foreign words in header names, and the scope of the public client's package. */
  const headers = [...teamKeyHeaders, ...linkTokenHeaders, ...managementKeyHeaders];
  const ours = ["service", "management"];
  const client = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).devDependencies).find((name) =>
    name.endsWith("-api/sdk"),
  )!;
  const words = new Set(
    [...headers, client].map((name) => name.split("-")[name.startsWith("x-") ? 1 : 0]?.replace("@", "") ?? ""),
  );
  const foreign = [...words].filter((word) => !ours.includes(word));

  test("come from the dialect and the client's package", () => {
    expect(foreign).toHaveLength(2);
  });

  /** Public clients that test/clients installs, as pages name them. */
  const pins = readFileSync("test/clients/public-clients.sh", "utf8").matchAll(/([@\w/-]+)(?:==|@)\d/g);
  const clients = [client, ...Array.from(pins, ([, name]) => `\`${name}\``)];

  test("occur in the dialect, and in names of public clients", () => {
    expect(clients).toHaveLength(8);
    // One word is also part of two terms of medicine. Tests may contain the words, because they show the requests of such a client.
    const listed = ["lib/contract/compatibility.ts", "lib/domain/connections/providers/providers.ts"];
    const text = "{*.md,{bin,lib,functions,web,data,docs}/**/*.{ts,mjs,js,json,md,html,css}}";
    const found = findLines(text, new RegExp(`\\b(?:${foreign.join("|")})\\b(?![- ](?:signs|capacity))`, "i"), listed);
    expect(found.filter((place) => !clients.some((name) => place.includes(name)))).toEqual([]);
  });
});
