/** A part of a page: Markdown, a container such as `:::note`, or a code block that stands alone. */
export type Block =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'insert'; readonly name: string }
  | { readonly kind: 'fence'; readonly info: string; readonly code: string }
  | { readonly kind: 'tab'; readonly title: string; readonly children: readonly Block[] }
  | {
      readonly kind: 'container';
      readonly name: string;
      readonly title: string;
      readonly children: readonly Block[];
    };

interface Open {
  readonly kind: 'page' | 'container' | 'tab';
  readonly name: string;
  readonly title: string;
  readonly children: Block[];
}

/**
 * Splits Markdown into blocks. `:::name Title` … `:::` is a container and `=== Title` a tab of the
 * container `tabs`. Comments are dropped, except `<!-- insert name -->`.
 */
export function parseBlocks(source: string): Block[] {
  const stack: Open[] = [{ kind: 'page', name: '', title: '', children: [] }];
  const top = () => stack.at(-1) as Open;
  let text: string[] = [];
  let fence: { mark: string; info: string; code: string[] } | null = null;

  const flush = () => {
    const joined = text.join('\n');
    if (joined.trim() !== '') top().children.push({ kind: 'markdown', text: joined });
    text = [];
  };
  const close = (kind: Open['kind']) => {
    flush();
    const done = stack.pop() as Open;
    if (done.kind !== kind) throw new Error(`::: closes nothing, or a ${done.kind} is not closed.`);
    top().children.push(done as Block);
  };

  for (const line of source.replace(/<!--(?! insert )[\s\S]*?-->\n?/g, '').split('\n')) {
    if (fence !== null) {
      if (line.trimEnd() !== fence.mark) {
        fence.code.push(line);
        continue;
      }
      top().children.push({ kind: 'fence', info: fence.info, code: fence.code.join('\n') });
      fence = null;
      continue;
    }
    const [, mark, info] = /^(`{3,})(.*)$/.exec(line) ?? [];
    const [, container, title] = /^:::([a-z]+)(?: (.*))?$/.exec(line) ?? [];
    const [, tab] = /^=== (.+)$/.exec(line) ?? [];
    const [, insert] = /^<!-- insert ([a-z-]+) -->$/.exec(line) ?? [];
    if (mark !== undefined) {
      flush();
      fence = { mark, info: info ?? '', code: [] };
    } else if (container !== undefined) {
      flush();
      stack.push({ kind: 'container', name: container, title: title ?? '', children: [] });
    } else if (tab !== undefined) {
      if (top().kind === 'tab') close('tab');
      flush();
      stack.push({ kind: 'tab', name: '', title: tab, children: [] });
    } else if (line === ':::') {
      if (top().kind === 'tab') close('tab');
      close('container');
    } else if (insert !== undefined) {
      flush();
      top().children.push({ kind: 'insert', name: insert });
    } else {
      text.push(line);
    }
  }
  flush();
  if (fence !== null) throw new Error(`A code block (${fence.info}) is not closed.`);
  if (stack.length > 1) throw new Error(`:::${top().name} is not closed.`);
  return top().children;
}
