// @module-tag deep
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contracts } from "../../functions/index.ts";
import { bundleFunctions, FUNCTION_CACHE } from "../../lib/build/bundle.ts";
import { bundleTeamCredentials } from "../../lib/build/function-files.ts";
import { buildLocally } from "../../lib/build/local-build.ts";
import { awsLimits } from "./limits/aws-limits.ts";
import { findExceeded } from "./limits/limit-findings.ts";

const directory = mkdtempSync(join(tmpdir(), "assets-"));
beforeAll(() => bundleFunctions(directory, FUNCTION_CACHE), 300_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("local runs contain the event check, but no deployed function does", async () => {
  const isChecking = (file: string) => readFileSync(file, "utf8").includes("is not in the catalogue of events");
  const { assemblyDirectory } = await buildLocally();
  expect(globSync(join(assemblyDirectory, "../functions/shared/**/*.mjs")).filter(isChecking)).toHaveLength(1);
  const deployed = globSync(join(directory, "files/*.mjs"));
  expect(deployed.length).toBeGreaterThan(contracts.length);
  expect(deployed.filter(isChecking)).toEqual([]);
});

test("every function's unzipped size is within Lambda's limit", () => {
  const bytesIn = (operationId: string) =>
    globSync(join(directory, operationId, "**"), { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const subjects = contracts.map(({ operationId }) => ({
    type: "AWS::Lambda::Function",
    name: operationId,
    properties: { UnzippedBytes: bytesIn(operationId) },
  }));
  expect(Math.min(...subjects.map(({ properties }) => properties.UnzippedBytes))).toBeGreaterThan(1_000);
  expect(awsLimits.flatMap((limit) => findExceeded(limit, subjects))).toEqual([]);
});

test.each(["google.pubsub.v1.Publisher", "Socket closed abruptly", "com.microsoft:timeout"])(
  "the client that speaks %s is in a separate file, shipped with the one function that may load it",

  (text) => {
    const withClient = globSync(join(directory, "files/*.mjs")).filter((file) =>
      readFileSync(file, "utf8").includes(text),
    );
    expect(withClient).toHaveLength(1);
    const [name = ""] = withClient.map((file) => basename(file));
    const having = contracts.filter(({ operationId }) => globSync(join(directory, operationId, "**", name)).length > 0);
    expect(having.map(({ operationId }) => operationId)).toEqual(["forwardToTeam"]);
    expect(name).not.toBe("forwardToTeam.mjs");
  },
);

test("Node loads every file that a function imports when it first needs it", async () => {
  const text = globSync(join(directory, "files/*.mjs")).map((file) => readFileSync(file, "utf8"));
  const imports = new Set(text.flatMap((one) => one.match(/import\("\.\/[^"]+"[^)]*\)/g) ?? []));
  expect(imports.size).toBeGreaterThan(10);
  // The process of a test has a loader of its own, which accepts imports that Node refuses.
  const probe = join(directory, "files", "probe.mjs");
  writeFileSync(probe, `await Promise.all([${[...imports]}]);\n`);
  await bundleTeamCredentials(join(directory, "files"));
  await promisify(execFile)(process.execPath, [probe]);
  rmSync(probe);
});

/** Operations whose asset contains this text. */
const havingText = (text: string) => {
  const holding = contracts.filter(({ operationId }) =>
    globSync(join(directory, operationId, "**/*.mjs")).some((file) => readFileSync(file, "utf8").includes(text)),
  );
  return holding.map(({ operationId }) => operationId);
};

/** Functions that read results. The catalogue supplies names and expected results. */
const readingResults = ["doLabWork", "receiveResult", "acceptUnmatchedResult", "runUnmatchedResultTest"];

/** Functions that return orders and results as FHIR. */
const readingFhir = [
  "getFhirLabResource",
  "getFhirObservation",
  "getFhirPatientEverything",
  "getFhirProvenance",
  "runExport",
  "searchFhirLabResources",
  "searchFhirObservations",
  "searchFhirProvenances",
];

/** Functions that match the test names of lab reports to codes. */
const namingTests = ["parseLabReport", "acceptReport", "searchLoinc"];

test("the lab catalogue is only in functions that describe lab tests or read results", () => {
  const having = havingText("Triglyceride [Mass/volume] in Serum or Plasma");
  expect(having).toEqual(expect.arrayContaining(["getMarkers", "createLabTest", "searchCompendium"]));
  const others = contracts.filter((one) => !("path" in one && /lab_test|compendium|order/.test(one.path)));
  const unexpected = having.filter((name) => others.some(({ operationId }) => operationId === name));
  expect(unexpected.toSorted()).toEqual([...readingResults, ...readingFhir, ...namingTests].toSorted());
  for (const name of ["getLabs", "getTeamLabAccounts", "getPscInfo", "getAreaInfo"]) expect(having).not.toContain(name);
});

test("the document writer is only in functions that return a document", () => {
  const having = havingText("Helvetica-Bold");
  expect(having).toContain("getLabTestCollectionInstructionPdf");
  // The document reader knows font names too.
  expect(having.filter((name) => !name.endsWith("Pdf"))).toEqual(["parseLabReport"]);
});
