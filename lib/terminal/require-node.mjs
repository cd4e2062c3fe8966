// Loaded before every command. Plain JavaScript, because an older Node can not read the TypeScript behind it.
const WANTED = 24;
const [major] = process.versions.node.split(".");
if (Number(major) < WANTED) {
  process.stderr.write(
    `Tributary runs on Node ${WANTED}, and this is ${process.versions.node}. "npm ci" brings Node ${WANTED} along unless install scripts are off: run it again, then use the npm scripts.\n`,
  );
  process.exit(1);
}
