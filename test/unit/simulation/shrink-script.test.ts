import { expect, test } from "vitest";
import { shrinkScript } from "../../simulation/shrink-script.ts";
import { type SimulationScript, simulationScript } from "../../simulation/simulation-script.ts";

const pushes = Array.from({ length: 40 }, (_, place) => `push ${place}`);
const script = simulationScript.parse({ seed: 1, events: 100 });

/** Fails if two requests are sent while functions crash, and the first 17 steps are drawn. */
const failsWithTwo = async ({ pushes: sent = pushes, disturbances, drawn_steps = 900 }: SimulationScript) =>
  sent.includes("push 3") && sent.includes("push 38") && disturbances.includes("crashes") && drawn_steps >= 17;

test("a script keeps what it needs to fail, and nothing else", async () => {
  let runs = 0;
  const shrunk = await shrinkScript(script, { pushes, steps: 900 }, (one) => {
    runs++;
    return failsWithTwo(one);
  });
  expect(shrunk).toEqual({ ...script, pushes: ["push 3", "push 38"], disturbances: ["crashes"], drawn_steps: 17 });
  expect(runs).toBeLessThan(60);
});

test("a script that always fails keeps one request and no disturbance", async () => {
  const shrunk = await shrinkScript(script, { pushes, steps: 900 }, async () => true);
  expect(shrunk).toMatchObject({ disturbances: [], drawn_steps: 0 });
  expect(shrunk.pushes).toHaveLength(1);
});
