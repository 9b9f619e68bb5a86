import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a program in the repository's folder and waits until it ends, even after Ctrl-C.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] `quiet` returns the
 *   program's output instead of showing it
 * @returns {Promise<{ code: number, output: string }>} after a signal the code is 128 + its number
 */
export function runCommand(program, args, { cwd = ROOT, env = process.env, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = quiet ? 'pipe' : 'inherit';
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', stdio, stdio] });
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    child.stderr?.on('data', (data) => {
      output += data;
    });
    // A terminal sends Ctrl-C to the child too. SIGTERM reaches only us, so it is forwarded.
    const ignoreInterrupt = () => {};
    const forwardTermination = () => child.kill('SIGTERM');
    process.on('SIGINT', ignoreInterrupt);
    process.on('SIGTERM', forwardTermination);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignoreInterrupt);
      process.off('SIGTERM', forwardTermination);
      resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output });
    });
  });
}

/**
 * @param {string[]} args a script and its arguments
 * @param {Parameters<typeof runCommand>[2]} [options]
 */
export function runNode(args, options) {
  return runCommand(process.execPath, args, options);
}
