// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../../../../functions/index.ts";
import { type StoryFixture, startStory } from "../../story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../../story/whole-story.ts";
import { IsolationProbe } from "../isolation/isolation-probe.ts";
import { GrantWatch } from "./grant-watch.ts";

let world: StoryFixture;
let probe: IsolationProbe;
beforeAll(async () => {
  world = await startStory(receiverStatus);
});
afterAll(() => world.stop());

/**
 * Grants that no story uses: a demo connection shares code with ingestion, which stores large batches in the bucket,
 * and the data of a simulated phone is small.
 */
const unused = ["connectDemoProvider s3:putobject"];
/**
 * Grants whose use depends on the hour or on what came before: a day of a polled connection is about as large as a
 * message may be, and one function makes what the others then find.
 */
const timeDependent = ["pullConnection s3:putobject", "runExport sqs:sendmessage", "appendToLake s3:deleteobject"];
/** The signing key of consents is made once for each team. Ends of earlier consents need a second connection. */
const ofConsents = [
  ...["completePasswordProviderMfa dynamodb:getitem", "completePasswordProviderMfa dynamodb:putitem"],
  ...["completePasswordProviderMfa kms:generatedatakey", "connectEmailAuthProvider dynamodb:getitem"],
  ...["connectEmailAuthProvider dynamodb:putitem", "connectEmailAuthProvider kms:decrypt"],
  ...["connectEmailAuthProvider kms:generatedatakey", "connectPasswordProvider dynamodb:getitem"],
  ...["connectPasswordProvider dynamodb:putitem", "connectPasswordProvider kms:decrypt", "deleteUser kms:decrypt"],
  ...["emailAuth dynamodb:putitem", "emailAuth kms:decrypt", "emailAuth kms:generatedatakey"],
  ...["passwordAuth dynamodb:putitem", "passwordAuth kms:decrypt"],
];
/**
 * The story keeps no payload, exports no large team, erases a team without a lake, and connects no two users to one
 * account. Tests of their own do.
 */
const ofOtherTests = [
  ...[
    "cancelFhirExport dynamodb:getitem",
    "cancelFhirExport dynamodb:updateitem",
    "getFhirExportFile dynamodb:getitem",
  ],
  ...["endConsents dynamodb:getitem", "finishOauthLink dynamodb:query"],
  ...["eraseTeams dynamodb:batchwriteitem", "eraseTeams s3:deleteobject"],
  ...["pullHistory dynamodb:putitem", "pullHistory dynamodb:updateitem"],
  ...["runBulkStep dynamodb:getitem", "runBulkStep dynamodb:putitem", "runBulkStep s3:putobject"],
  // The connections that the story imports subscribe to no pushes.
  ...["runBulkStep dynamodb:updateitem", "runBulkStep kms:decrypt"],
  // The sweeper finds no event that replaces another.
  "sweepEvents dynamodb:putitem",
  // No endpoint has enough failures in a row for a suspension.
  "attemptDelivery dynamodb:query",
  // The story creates its review links and portal links with an API key. Those of a console session read that session.
  ...["acceptReport", "getReviewPart", "getReview", "searchLoinc"].map((name) => `${name} dynamodb:getitem`),
  ...["listPortalAttempts", "listPortalMessages", "listPortalWebhooks"].map((name) => `${name} dynamodb:getitem`),
  ...["resendPortalMessage", "testPortalWebhook"].map((name) => `${name} dynamodb:getitem`),
];
const sometimesUnused = [...timeDependent, ...ofConsents, ...ofOtherTests];

test("every grant of every function is used", { timeout: 1_500_000 }, async () => {
  const watch = new GrantWatch(world.service.cloud);
  probe = await IsolationProbe.start(world.service);
  await runWholeStory(world);
  const found = (await watch.unused()).map((grant) => grant.replace(/ arn:\S+$/, ""));
  expect(found.filter((grant) => !sometimesUnused.includes(grant))).toEqual(unused);
});

/** The other tenants followed the whole story, see {@link IsolationProbe}. */
test("ids of another team are answered like unknown ids, on every route", { timeout: 900_000 }, async () => {
  const { findings, compared, asked, continued } = probe;
  expect(findings.leaks).toEqual([]);
  // test/local/service/agents/access.test.ts proves it for the tools of agents.
  const keyed = endpoints.filter(({ auth, callsRoutes }) => auth !== "none" && !callsRoutes);
  // The owner's request has to succeed after each refusal; otherwise the refusal proves nothing.
  const unproven = keyed.filter(({ operationId }) => !compared.has(operationId) && !asked.has(operationId));
  expect(unproven.map(({ operationId }) => operationId)).toEqual([]);
  const named = keyed.filter(({ path }) => /\{\w*_id(_or_slug)?\}/.test(path));
  expect(named.filter(({ operationId }) => !compared.has(operationId)).map(({ path }) => path)).toEqual([]);
  expect(continued.size).toBeGreaterThan(7);
  expect(findings.comparisons).toBeGreaterThan(1_000);
});

test("ids of another team are answered like unknown ids after their resources are erased", {
  timeout: 900_000,
}, async () => {
  const { comparisons } = probe.findings;
  await probe.askAgain();
  expect(probe.findings.leaks).toEqual([]);
  expect(probe.findings.comparisons - comparisons).toBeGreaterThan(500);
});
