import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";

const files = globSync("functions/*/*.ts").toSorted();

/** Imports every module and prints its exports, and sockets, file handles and timers that stay open. */
const program = `
import net from "node:net";
net.Socket.prototype.connect = () => { throw new Error("an import opened a connection"); };
const found = {};
for (const file of ${JSON.stringify(files)}) found[file] = Object.keys(await import(process.cwd() + "/" + file));
const quiet = ["CloseReq", "FSReqCallback", "FSReqPromise", "PipeWrap", "TTYWrap"];
const open = process.getActiveResourcesInfo().filter((name) => !quiet.includes(name));
console.log(JSON.stringify({ found, open }));
`;

describe("a function's module", () => {
  // One process imports all modules with an empty environment, because no module may read it before the first call.
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: {},
    encoding: "utf8",
  });

  test("can be imported without an environment and opens nothing", () => {
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).open).toEqual([]);
  });

  test.each(files)("%s exports its contract and its handler", (file) => {
    expect(JSON.parse(stdout).found[file]).toEqual(["contract", "handler"]);
  });
});
