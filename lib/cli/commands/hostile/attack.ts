import * as z from "zod";
import { declareCommand } from "../../frame/declaration.ts";
import { option, seed, wholeNumber } from "../../frame/values.ts";
import { runSeeded } from "../../run-seeded.ts";

const parts = ["credentials", "ids", "ends"] as const;
const partList = z
  .string()
  .default(parts.join())
  .transform((given) => given.split(","))
  .pipe(z.array(z.enum(parts, { error: `must be of ${parts.join(", ")}` })));

export const attack = declareCommand({
  name: "attack",
  summary: "Attacks every route of a service in this process with wrong credentials and ids of others",
  description: [
    "`credentials` sends every wrong credential to every route. `ids` sends ids of another team, which must be answered",
    "like unknown ids. `ends` uses credentials a minute after the end of their key, user or team.",
  ],
  options: {
    rounds: option("<count>", "requests with other values for each attack on a route", wholeNumber().default(1)),
    seed,
    parts: option("<list>", `parts, of ${parts.join(",")}; all by default`, partList),
  },
  examples: [
    ["attack --seed 1", "the same values each time, with new ids and secrets"],
    ["attack --parts ids --rounds 5", "ids of another team alone, with five requests for each"],
  ],
  json: "option",
  run: async (given, session) => {
    const { attackService } = await import("../../../../test/attack/attack-service.ts");
    return runSeeded(given.seed, () => attackService(given, session));
  },
});
