// Loaded before every command. Plain JavaScript, because an older Node cannot load TypeScript.
const WANTED = 24;
const [major] = process.versions.node.split(".");
if (Number(major) < WANTED) {
  process.stderr.write(
    `Tributary requires Node ${WANTED}, and this is ${process.versions.node}. "npm ci" installs Node ${WANTED} unless install scripts are disabled: run it again, then use the npm scripts.\n`,
  );
  process.exit(1);
}
