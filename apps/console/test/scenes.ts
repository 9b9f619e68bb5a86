import { accessAndEndpoints } from './scenes/access-and-endpoints.ts';
import { others } from './scenes/catalog-and-testing.ts';
import { consoleScenes } from './scenes/console.ts';
import { messages } from './scenes/messages.ts';
import { replaysAndActivity } from './scenes/replays-and-activity.ts';
import type { Scene } from './scenes/scene.ts';

export type { Scene };

/** Every page in every state, for the accessibility test and the screenshots. */
export const scenes: Scene[] = [
  ...accessAndEndpoints,
  ...messages,
  ...replaysAndActivity,
  ...others,
  ...consoleScenes,
];
