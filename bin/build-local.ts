const [part = "", directory = "", context = "{}"] = process.argv.slice(2);

// Each part loads only its own modules: two processes do both at once.
if (part === "modules") {
  const { bundleShared } = await import("../lib/build/bundle-local.ts");
  await bundleShared(directory);
} else {
  const { prepareLocalAssembly } = await import("../lib/build/local-assembly.ts");
  await prepareLocalAssembly(directory, JSON.parse(context));
}
