import { ROOT, runCommand } from './run-command.mjs';

/**
 * Runs npm quietly: the one that runs this script, or the one on PATH.
 * @param {string[]} args
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<string>} what it printed
 */
export async function runNpm(args, { cwd = ROOT } = {}) {
  // npm passes its own settings on to scripts, such as the workspace or the prefix of this call.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_(config|package|lifecycle)/i.test(key)),
  );
  const execpath = process.env.npm_execpath ?? '';
  const isNpm = /npm-cli\.c?js$/.test(execpath);
  const { code, output } = await runCommand(
    isNpm ? process.execPath : 'npm',
    [...(isNpm ? [execpath] : []), '--silent', ...args],
    { cwd, env, quiet: true },
  );
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
  return output;
}
