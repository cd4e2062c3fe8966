import { declareCommand } from "../frame/declaration.ts";

export const liveSmoke = declareCommand({
  name: "live-smoke",
  summary: "Pulls two days from each provider of which the environment has an access token",
  description: [
    "LIVE_<PROVIDER>_ACCESS_TOKEN holds the token, such as LIVE_OURA_ACCESS_TOKEN; LIVE_<PROVIDER>_ACCOUNT_ID holds the",
    "id of the account, which the addresses of some providers contain. Stores nothing.",
  ],
  examples: [["live-smoke", "counts accepted and rejected records of each resource"]],
  json: "option",
  run: async (_, session) => {
    const { listLiveTokens, smokeTestProvider, tokenVariable } = await import("../deploy/live-smoke-test.ts");
    const tokens = listLiveTokens();
    if (tokens.length === 0) session.print(`No access token is set: set for example ${tokenVariable("oura")}.`);
    const results = [];
    for (const { slug, token } of tokens)
      results.push(...(await smokeTestProvider(slug, token, (line) => session.print(line))));
    return { isOk: results.every(({ isGood }) => isGood), data: { resources: results } };
  },
});
