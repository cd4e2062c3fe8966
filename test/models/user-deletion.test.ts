import { describe, expect, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import { exploreModel } from "./explore-model.ts";
import { type DeletionCondition, userDeletion } from "./user-deletion.ts";

const timeout = 30 * 60_000;

test("the invariants of deletion, undo and reuse hold in all states of some users", { timeout }, () => {
  const { broken, trace, isComplete } = exploreModel(userDeletion({ users: chooseCount(2, 3) }));
  expect([broken, trace, isComplete]).toEqual([undefined, [], true]);
});

describe("the exploration finds what each condition prevents", () => {
  test.each<[DeletionCondition, string, number]>([
    ["one write of the user and the id", "a held client_user_id belongs to an active user", 3],
    ["the state of the id when a user takes it", "at most one active user has the client_user_id", 2],
    ["the holder of the id when it is restored", "at most one active user has the client_user_id", 6],
    ["the state of the user when it is restored", "no user returns after the end of its grace period", 6],
    ["the end of the grace period when an erasure begins", "no erasure begins before the end of its grace period", 4],
    ["the return of the id when an erasure begins", "a user in erasure has no client_user_id", 5],
  ])("%s: %s", (without, invariant, steps) => {
    const { broken, trace } = exploreModel(userDeletion({ without }));
    expect([broken, trace.length], trace.join("\n")).toEqual([invariant, steps]);
  });
});
