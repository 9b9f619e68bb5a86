// `svc-admin serve` runs the service; every other command is one of the operator.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Svc needs Node 20.19 or later, but this is ${process.versions.node}.\n`);
  process.exit(1);
}
const server = new URL('../apps/server/dist/', import.meta.url);
const entry = process.argv[2] === 'serve' ? 'serve.js' : 'cli.js';
await import(new URL(entry, server).href);
