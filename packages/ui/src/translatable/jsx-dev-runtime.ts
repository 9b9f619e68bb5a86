import { jsx, jsxs } from './jsx-runtime.ts';

export { Fragment } from './jsx-runtime.ts';

export function jsxDEV(
  type: unknown,
  props: Parameters<typeof jsx>[1],
  key: string | undefined,
  hasStaticChildren: boolean,
): unknown {
  return (hasStaticChildren ? jsxs : jsx)(type, props, key);
}
