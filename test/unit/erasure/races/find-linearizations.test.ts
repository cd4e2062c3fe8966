import { describe, expect, test } from "vitest";
import { GRACE_PERIOD_MS } from "../../../../lib/domain/erasure/deletion-input.ts";
import type { Call, CompletedCall, Outcome } from "./call-history.ts";
import { findLinearizations } from "./find-linearizations.ts";

const START_MS = Date.parse("2026-03-01T00:00:00.000Z");
const CREATED_ON = "2026-03-01T00:00:00.000Z";
const CREATION: readonly [Call, Outcome] = [{ kind: "create", reference: "a" }, created("u1", "a")];
const DELETION: readonly [Call, Outcome] = [{ kind: "delete", userId: "u1" }, { status: 200 }];
const UNDO: readonly [Call, Outcome] = [{ kind: "undo", userId: "u1" }, { status: 200 }];
const GONE: Outcome = { status: 404, code: "user_not_found" };

/** Sequential calls; the third entry is the time in milliseconds after the start. */
function inTurn(...calls: (readonly [Call, Outcome | undefined, number?])[]): CompletedCall[] {
  return calls.map(([call, outcome, atMs = 0], place) => {
    const nowMs = START_MS + atMs;
    const draws = [{ id: call.kind === "create" ? (outcome?.user?.user_id ?? `u${place}`) : `d${place}`, atMs: nowMs }];
    return { call, outcome, draws, invokedAt: 2 * place, returnedAt: 2 * place + 1, fromMs: nowMs, toMs: nowMs };
  });
}

/** The same calls with the given one and later ones concurrent: all start before any ends. */
function atOnce(history: readonly CompletedCall[], from: number): CompletedCall[] {
  return history.map((performed, place) =>
    place < from ? performed : { ...performed, invokedAt: 1_000 + place, returnedAt: 2_000 + place },
  );
}

function created(userId: string, reference: string): Outcome {
  return {
    status: 200,
    user: { user_id: userId, client_user_id: reference, created_on: CREATED_ON, isConnected: false },
  };
}

const begin = (deletionId: string, proceed: boolean): readonly [Call, Outcome] => {
  const deletion = { deletion_id: deletionId, team_id: "t", user_id: "u1", erase_at: "" };
  return [
    { kind: "beginErasure", deletion },
    { status: 200, proceed },
  ];
};

const isExplained = (history: readonly CompletedCall[]) => findLinearizations(history).length > 0;

describe("findLinearizations rejects a history with", () => {
  test.each<[string, CompletedCall[]]>([
    ["two users with one reference", inTurn(CREATION, [CREATION[0], created("u2", "a")])],
    ["an undo of a user that is not deleted", inTurn(CREATION, UNDO)],
    [
      "a user that is still found after its deletion",
      inTurn(CREATION, DELETION, [{ kind: "get", userId: "u1" }, created("u1", "a")]),
    ],
    ["an undo after the grace period", inTurn(CREATION, DELETION, [...UNDO, GRACE_PERIOD_MS])],
    ["an undo after the reference was used again", inTurn(CREATION, DELETION, [CREATION[0], created("u2", "a")], UNDO)],
    [
      "an erasure before the grace period is over",
      inTurn(CREATION, DELETION, [...begin("d1", true), GRACE_PERIOD_MS - 1]),
    ],
    ["an erasure after an undo", inTurn(CREATION, DELETION, UNDO, [...begin("d1", true), GRACE_PERIOD_MS])],
    [
      "an erasure for an earlier deletion",
      inTurn(CREATION, DELETION, UNDO, DELETION, [...begin("d1", true), 2 * GRACE_PERIOD_MS]),
    ],
    [
      "a connection that reappears with an undo",
      inTurn(CREATION, [{ kind: "connect", userId: "u1" }, { status: 200 }], DELETION, UNDO, [
        { kind: "get", userId: "u1" },
        { status: 200, user: { ...created("u1", "a").user, isConnected: true } },
      ]),
    ],
    ["a user missing from the list", inTurn(CREATION, [{ kind: "list" }, { status: 200, ids: [] }])],
    [
      "a user that is not found without a deletion",
      atOnce(
        inTurn(
          CREATION,
          [{ kind: "rename", userId: "u1", reference: "b" }, { status: 204 }],
          [{ kind: "delete", userId: "u1" }, GONE],
        ),
        1,
      ),
    ],
  ])("%s", (_, history) => {
    expect(isExplained(history)).toBe(false);
  });
});

describe("findLinearizations accepts a history with", () => {
  const taken: Outcome = { status: 400, code: "client_user_id_taken", user: { user_id: "u2", created_on: CREATED_ON } };
  test.each<[string, CompletedCall[]]>([
    [
      "two concurrent creations of which the later one wins",
      atOnce(inTurn([CREATION[0], taken], [CREATION[0], created("u2", "a")]), 0),
    ],
    ["an undo in the last millisecond", inTurn(CREATION, DELETION, [...UNDO, GRACE_PERIOD_MS - 1])],
    ["an erasure at the end of the grace period", inTurn(CREATION, DELETION, [...begin("d1", true), GRACE_PERIOD_MS])],
    ["a deletion that took effect with a lost response", inTurn(CREATION, [DELETION[0], undefined], UNDO)],
    [
      "a deletion that never arrived",
      inTurn(CREATION, [DELETION[0], undefined], [{ kind: "get", userId: "u1" }, created("u1", "a")]),
    ],
  ])("%s", (_, history) => {
    expect(isExplained(history)).toBe(true);
  });

  test("two sequential creations only if the first one wins", () => {
    expect(isExplained(inTurn([CREATION[0], taken], [CREATION[0], created("u2", "a")]))).toBe(false);
  });
});
