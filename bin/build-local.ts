const [part = "", ...given] = process.argv.slice(2);

// Each part loads only its own modules: two processes do both at once.
if (part === "modules") {
  const [directory = ""] = given;
  const { bundleShared } = await import("../lib/build/bundle-local.ts");
  await bundleShared(directory);
} else {
  const { prepareLocalAssembly } = await import("../lib/build/local-assembly.ts");
  // Pairs of a directory and its context.
  for (let place = 0; place < given.length; place += 2) {
    const [directory = "", context = "{}"] = given.slice(place, place + 2);
    await prepareLocalAssembly(directory, JSON.parse(context));
  }
}
