import { transformWithOxc } from 'vite';
import { describe, expect, test } from 'vitest';
import { blueprintOf } from './blueprint.ts';
import { frameworks, type Project } from './project.ts';

describe.each(frameworks)('the files for %s', (framework) => {
  const filesOf = (
    part: Pick<Project, 'typescript' | 'react'>,
    variant: 'rent' | 'hoa' = 'rent',
  ) => {
    const dependencies = new Set<string>();
    const rest = {
      folder: '',
      sources: '',
      modules: true,
      packageManager: 'npm',
      dependencies,
    } as const;
    const chosen = { environment: 'production', variant };
    return blueprintOf({ framework, ...part, ...rest }, chosen).files;
  };

  test.each([true, false])('are the same program in both languages (React: %s)', async (react) => {
    const programsOf = (typescript: boolean) =>
      Promise.all(
        filesOf({ typescript, react })
          .filter(({ path }) => !path.endsWith('.html'))
          .map(async ({ path, content }) => (await transformWithOxc(content, path)).code),
      );
    expect(await programsOf(false)).toEqual(await programsOf(true));
  });

  test.each([true, false])('say hoa in the widget and in portal_info (React: %s)', (react) => {
    const textOf = (variant: 'rent' | 'hoa') =>
      filesOf({ typescript: true, react }, variant)
        .map(({ content }) => content)
        .join('');
    expect(textOf('rent')).not.toMatch(/hoa|dues/);
    const text = textOf('hoa');
    expect(text.match(/product_variant: 'hoa'/g)).toHaveLength(1);
    expect(text.match(/product_variant="hoa"|productVariant: 'hoa'/g)).not.toBeNull();
    expect(text).toMatch(/Environment\.Production|environment: 'production'/);
    expect(text).not.toContain('Your rent');
  });

  test('have no section of another framework, and the environment of the key', () => {
    const files = filesOf({ typescript: true, react: true });
    const text = files.map(({ content }) => content).join('');
    expect(text).not.toMatch(/#(if|endif)|sandbox/i);
    expect(text).toMatch(/Environment\.Production|environment: 'production'/);
  });
});
