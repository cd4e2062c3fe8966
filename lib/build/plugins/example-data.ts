import type { Plugin } from "esbuild";

/**
 * Evaluates the example data of events while it bundles. Deriving them needs the schema of every payload and a
 * generator of JSON Schemas, which no function needs for anything else.
 */
export const exampleDataPlugin: Plugin = {
  name: "example-data",
  setup({ onLoad }) {
    onLoad({ filter: /lib\/events\/catalogue\/example-data\.ts$/ }, async () => {
      const { catalogue } = await import("../../events/catalogue/catalogue.ts");
      const { exampleDataOf } = await import("../../events/catalogue/example-data.ts");
      const data = Object.fromEntries(catalogue.map(({ type }) => [type, exampleDataOf(type)]));
      const contents = `const data = ${JSON.stringify(data)};\nexport const exampleDataOf = (type) => structuredClone(data[type]);`;
      return { contents, loader: "js" };
    });
  },
};
