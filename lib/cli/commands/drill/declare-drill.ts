import { type Command, declareCommand, type ValueSpecs, type ValuesOf } from "../../frame/declaration.ts";

/** Declares a drill. `run` returns the exit code of the drill. */
export function declareDrill<Options extends ValueSpecs>(
  name: string,
  [summary, ...description]: readonly [string, ...string[]],
  options: Options,
  run: (given: ValuesOf<Options>) => Promise<number>,
): Command {
  return declareCommand({
    name,
    summary,
    description,
    options,
    examples: [
      [`drill ${name}${"seed" in options ? " --seed 1" : ""}`, "seed" in options ? "the same each time" : "once"],
    ],
    run: async (given) => ({ isOk: (await run(given)) === 0 }),
  });
}
