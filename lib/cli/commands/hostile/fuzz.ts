import { declareCommand } from "../../frame/declaration.ts";
import { option, seed, wholeNumber } from "../../frame/values.ts";
import { runSeeded } from "../../run-seeded.ts";

export const fuzz = declareCommand({
  name: "fuzz",
  summary: "Fuzzes every route of a service in this process",
  description: [
    "Sends valid requests and requests in which a value, a text or a byte is invalid. Every response must be without",
    "server error, take at most one second, and have the error format if it is an error.",
  ],
  options: {
    requests: option("<count>", "number of requests", wholeNumber().default(1_000_000)),
    seed,
    first: option("<number>", "first request of the seed", wholeNumber(0).default(0)),
  },
  examples: [["fuzz --requests 25000 --seed 7", "the same requests each time"]],
  json: "option",
  run: async (given, session) => {
    const { fuzzService } = await import("../../../../test/fuzz/fuzz-service.ts");
    return runSeeded(given.seed, () => fuzzService(given, session));
  },
});
