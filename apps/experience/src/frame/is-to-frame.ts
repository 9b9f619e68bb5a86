import type { FrameMessage } from '@svc/ui/frame/connect.ts';

/** Returns whether a message of the SDK has the fields of its type. */
export function isToFrame(data: FrameMessage): boolean {
  if (data.type === 'token') return typeof data.token === 'string';
  const isText = (name: string) => typeof data[name] === 'string';
  if (data.type === 'back') return true;
  if (data.type === 'appearance') return isText('theme');
  return (
    data.type === 'init' &&
    ['pms', 'externalId', 'signature'].every(isText) &&
    (data.token === null || isText('token'))
  );
}
