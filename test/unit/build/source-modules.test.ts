import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { prepareModule } from "../../../lib/build/plugins/source-modules.ts";

/** Bundles a module of which nothing but `used` is imported. */
async function bundled(module: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: 'import { used } from "module"; console.log(used);', loader: "js" },
    bundle: true,
    format: "esm",
    minify: true,
    write: false,
    plugins: [
      {
        name: "module",
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^module$/ }, () => ({ path: "module", namespace: "test" }));
          onLoad({ filter: /.*/, namespace: "test" }, () => ({ contents: prepareModule(module) }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}

describe("a prepared module", () => {
  const module = [
    'const base = make("base");',
    'export const used = base.extend({\n  a: make("used")\n});',
    'export const unused = make("unused");\nexport var table = [make("table")];\n',
  ].join("\n");

  test("leaves out constants that nobody uses, and keeps what the used ones need", async () => {
    const text = await bundled(module);
    expect(text).toContain('make("base")');
    expect(text).toContain('make("used")');
    expect(text).not.toMatch(/unused|table/);
  });

  test("keeps statements other than constants, in their order", async () => {
    const text = await bundled(`export const used = first();\nregister(used);\nclass A {}\n`);
    expect(text.indexOf("first()")).toBeLessThan(text.indexOf("register("));
    expect(text).toContain("register(");
  });

  test("keeps the names of functions and of derived classes", async () => {
    const names = prepareModule(
      "const f = (a = make()) => a;\nconst g = async () => make();\nexport class Gone extends Error {\n}\nconst h = await make();\n",
    );
    expect(names).toContain("const f = (a = make()) => a;");
    expect(names).toContain("const g = async () => make();");
    expect(names).toContain('class Gone extends Error { static name = "Gone";');
    expect(names).toContain("const h = await make();");
    const typed = "const f = <T>(a: T = make()): Promise<T> => wait(a);\nexport class Empty extends make(1) {}\n";
    expect(prepareModule(typed)).toBe(typed.replace("{}", '{ static name = "Empty";}'));
  });
});
