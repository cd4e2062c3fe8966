import { writeFileSync } from "node:fs";
import { UsageRefused } from "../../frame/command-failed.ts";
import { declareCommand } from "../../frame/declaration.ts";
import { flag, option, path, wholeNumber } from "../../frame/values.ts";
import { apiOptions, resolveApi } from "../../service/api-target.ts";

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;

export const load = declareCommand({
  name: "load",
  summary: "Sends a mix of requests at a constant rate and prints their latencies",
  description: [
    "Creates users, pushes samples of a watch, reads days and users, and deletes the users at the end.",
    "A latency counts from the instant at which the request was due. A local service also reports its units and their price.",
  ],
  options: {
    rate: option("<per second>", "requests per second; 20 by default", wholeNumber().default(20)),
    seconds: option("<seconds>", "duration; 10 by default", wholeNumber().default(10)),
    users: option("<count>", "users; 10 by default", wholeNumber().default(10)),
    plot: option("<file>", "write the percentiles as an SVG", path.optional()),
    remote: flag("allow an address that is not on this machine"),
    ...apiOptions,
  },
  examples: [
    ["load --rate 50 --seconds 20", "against the service of npm start"],
    ["load --url https://api.example.com --key sk_us_… --remote", "against a deployment, which costs money"],
  ],
  json: "option",
  failurePrefix: "Failed",
  run: async ({ rate, seconds, users, plot, remote, ...api }, session) => {
    const { baseUrl, apiKey } = resolveApi(api);
    if (!remote && !LOOPBACK.test(new URL(baseUrl).hostname))
      throw new UsageRefused(`${baseUrl} is not on this machine; --remote allows it`);
    const { playLoad } = await import("../../load/play-load.ts");
    const bar = session.progress({ label: "Sending", total: rate * seconds, unit: "requests" });
    const report = (ended: number) => bar.update(ended);
    const options = { baseUrl, key: apiKey, perSecond: rate, seconds, userCount: users, report };
    const { rows, cost, drawing, text } = await playLoad(options);
    session.print(text);
    if (plot !== undefined) writeFileSync(plot, drawing);
    return { isOk: rows.every(({ errors }) => errors === 0), data: { rows, cost: cost ?? null } };
  },
});
