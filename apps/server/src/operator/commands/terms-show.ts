import { showTerms } from '../../domain/partners/program-terms.ts';
import { argument, defineCommand } from '../command.ts';

export const termsShow = defineCommand({
  name: 'terms show',
  summary: 'print a version’s terms as JSON; "default" is the built-in one',
  input: { version: argument('<version>') },
  effect: 'report',
  console: { needs: 'read' },
  run: ({ tx }, { version }) => showTerms(tx, version),
  describe: ({ terms }) => `${JSON.stringify(terms, null, 2)}\n`,
});
