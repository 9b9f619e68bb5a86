/**
 * Keeps the process working after the reader of its output has left, as in `svc-admin audit list | head -1`. A
 * command that changes something must not stop halfway because its output is no longer read.
 */
export function handleClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout) {
        process.stderr.write(`The output cannot be written (${error.code}).\n`);
      }
      process.exit(1);
    });
  }
}
