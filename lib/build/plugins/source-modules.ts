import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** Modules of this project, and packages that read the names of their own classes. */
const SOURCES =
  /(?<!node_modules\/.*)\/(lib|functions)\/.*\.ts$|node_modules\/(oauth4webapi\/build|@aws-lambda-powertools\/batch\/lib\/esm)\/.*\.js$/;

/** A constant on the top level of a module, in the format of this project: nothing else begins in the first column. */
const CONSTANT = /^((?:export )?(?:const|var) [\w$]+(?:: [^=\n]+)? = )([\s\S]*?);\n(?=[\w$/@"]|$)/gm;

/** A derived class on the top level of a module. */
const DERIVED_CLASS = /^((?:export )?class ([\w$]+)(?:<[^\n]*>)? extends [^\n]*\{)(\}?)$/gm;

/**
 * Prepares the modules of this project for the bundler.
 * - Constants of a module are marked as free of side effects, because modules only define things. So a function contains
 *   the schemas that it uses, and not all schemas of the modules that it imports.
 * - Derived classes keep their name, which logs show for errors, while the bundler shortens all other names.
 */
export const sourceModulesPlugin: Plugin = {
  name: "source-modules",
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|js)$/ }, async ({ path }) => {
      if (!SOURCES.test(path)) return undefined;
      return { contents: prepareModule(await readFile(path, "utf8")), loader: path.endsWith(".ts") ? "ts" : "js" };
    });
  },
};

/** Prepares the text of a module, line by line, so that source maps keep its lines. */
export function prepareModule(code: string): string {
  return code
    .replaceAll(CONSTANT, (statement, head: string, value: string) =>
      isEvaluated(value) ? `${head}/* @__PURE__ */ (() => (${value}))();\n` : statement,
    )
    .replaceAll(
      DERIVED_CLASS,
      (_, head: string, name: string, end: string) => `${head} static name = "${name}";${end}`,
    );
}

/** Whether a value comes from a call that the bundler cannot know to be pure. Functions are pure by themselves. */
const isEvaluated = (value: string) => /[([]/.test(value) && !isFunction(value) && !/\bawait\b/.test(value);

/** Whether an expression is a function or a class, whose name a wrapper would take away. */
function isFunction(value: string): boolean {
  if (/^(async\s+)?(function\b|\w+\s*=>)|^class\b/.test(value)) return true;
  const start = /^(async\s*)?(<[^(]*>)?\(/.exec(value);
  if (!start) return false;
  let depth = 0;
  for (let index = start[0].length - 1; index < value.length; index++) {
    if (value[index] === "(") depth += 1;
    else if (value[index] === ")" && --depth === 0) return /^\)\s*(:[^=]*)?=>/.test(value.slice(index));
  }
  return false;
}
