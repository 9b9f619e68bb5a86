import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../read-text-file.ts';
import type { Blueprint } from './blueprint.ts';
import type { PlannedFile } from './write-files.ts';

/** Coding agents look for a file of this name. */
const path = 'AGENTS.md';
const begin = '<!-- svc:begin, written by "svc init", which replaces it until svc:end -->';
const end = '<!-- svc:end -->';

interface GuideOptions {
  /** The origin of the service. */
  readonly origin: string;
  readonly environment: string;
}

/**
 * Plans the guide for coding agents: a file, or a marked section at the end of the project's own. Replacing a
 * section that somebody has changed is an overwrite.
 */
export function planAgentGuide(
  folder: string,
  blueprint: Blueprint,
  options: GuideOptions,
): PlannedFile {
  const section = `${begin}\n${guideOf(blueprint, options)}\n${end}\n`;
  const file = join(folder, path);
  if (!existsSync(file))
    return { path, content: `# Guide for agents\n\n${section}`, change: 'create' };
  const existing = readTextFile(file);
  const from = existing.indexOf(begin);
  const to = existing.indexOf(end, from);
  if (from === -1 || to === -1) {
    const gap = existing === '' ? '' : existing.endsWith('\n') ? '\n' : '\n\n';
    return { path, content: existing + gap + section, change: 'add to' };
  }
  const content =
    existing.slice(0, from) + section + existing.slice(to + end.length).replace(/^\n/, '');
  return { path, content, change: content === existing ? 'unchanged' : 'overwrite' };
}

function guideOf(
  { files, envFile, start, page, webhooks }: Blueprint,
  { origin, environment }: GuideOptions,
): string {
  return `## Svc

Tenants split their rent into payments with Svc: a widget on a page, a token route, and a webhook receiver. The docs are Markdown at ${origin}/docs/existing-app.md; ${origin}/llms.txt lists all pages.

### Where things are

${files.map(({ path: name, about }) => `- \`${name}\`: ${about}`).join('\n')}
- \`${envFile}\`: the API key, the portal name, and the webhook secret. Git ignores it. Don't print it.

### Rules

1. Verify webhooks on the raw body. No JSON parser may run before the webhook route.
2. Handle each \`webhook-id\` once. A webhook can come twice, late, and out of order.
3. The API key stays in the backend: never in a page, a log, or a commit.
4. Money is integer cents. Never use floats for it.
5. Skip webhooks with \`test\` or \`custom\` set to \`true\`: no money belongs to them.

### Commands

\`\`\`sh
${start}
svc listen --forward-to ${webhooks}
svc scenario split t-100                 # splits the rent of a tenant and sends real webhooks
svc doctor ${page} --tenant t-100
svc certify --page ${page}   # plays bad deliveries, and opens the page
svc logs tail --no-follow                # the calls of this app, with their errors
\`\`\`

The integration works when the doctor has no failed check, and the settlement of a tenant with the scenario \`split\` becomes \`verified\`.

### Tools
${environment === 'production' ? '\nThe tools need a sandbox key: log in with another profile first.\n' : ''}
\`svc mcp\` serves the docs, the doctor, scenarios, and the webhook debugger over MCP. Configure the installed program, not a package to download by name:

\`\`\`json
{ "mcpServers": { "svc": { "command": "svc", "args": ["mcp", "--write"] } } }
\`\`\`

${origin}/docs/agents.md has the configuration for each client.`;
}
