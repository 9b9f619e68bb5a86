import { tools } from '@svc/mcp';
import type { Insert } from './insert.ts';

/** The tools of the MCP server, from their definition. */
export function agentTools(): Insert {
  const rows = tools.map(({ name, description, access }) => {
    const does = description.replace(/"/g, '`').replaceAll('|', '\\|');
    return `| \`${name}\` | ${access === 'write' ? 'yes' : ''} | ${does} |`;
  });
  return { markdown: ['| Tool | Changes | What it does |', '|---|---|---|', ...rows].join('\n') };
}
