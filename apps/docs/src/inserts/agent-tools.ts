import { tools } from '@svc/mcp';
import type { Insert } from './insert.ts';

/** Returns a table of the MCP server's tools, from their definitions. */
export function agentTools(): Insert {
  const rows = tools.map(({ name, description, access }) => {
    const summary = description.replace(/"/g, '`').replaceAll('|', '\\|');
    return `| \`${name}\` | ${access === 'write' ? 'yes' : ''} | ${summary} |`;
  });
  return { markdown: ['| Tool | Changes | What it does |', '|---|---|---|', ...rows].join('\n') };
}
