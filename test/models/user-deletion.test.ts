// @module-tag share
import { describe, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import { EXPLORATION, expectToBreak, expectToHold } from "./model-checks.ts";
import { type DeletionCondition, userDeletion } from "./user-deletion.ts";

test("the invariants of deletion, undo and reuse hold in all states of some users", EXPLORATION, () => {
  expectToHold(userDeletion({ users: chooseCount(2, 3) }));
});

describe("the exploration finds what each condition prevents", () => {
  test.each<[DeletionCondition, string, number]>([
    ["one write of the user and the id", "a held client_user_id belongs to an active user", 3],
    ["the state of the id when a user takes it", "at most one active user has the client_user_id", 2],
    ["the holder of the id when it is restored", "at most one active user has the client_user_id", 6],
    ["the state of the user when it is restored", "no undo after the end of the grace period restores a user", 6],
    ["the end of the grace period when an erasure begins", "no erasure begins before the end of its grace period", 4],
    ["the return of the id when an erasure begins", "a user in erasure has no client_user_id", 5],
  ])("%s: %s", (without, invariant, steps) => {
    expectToBreak(userDeletion({ without }), invariant, steps);
  });
});
