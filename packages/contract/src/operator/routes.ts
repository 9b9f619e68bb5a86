import type { z } from 'zod';
import type { RouteInput, RouteOutput } from '../api-routes.ts';
import type { openOperatorSessionInput, operatorSessionOutput } from './session.ts';

/** Every call of the operator's API, below `/operator/v1`, with its schemas. */
export interface OperatorRoutes {
  GET: {
    '/session': { output: typeof operatorSessionOutput };
  };
  POST: {
    '/session/open': {
      body: typeof openOperatorSessionInput;
      output: typeof operatorSessionOutput;
    };
    '/session/close': { output: z.ZodNull };
  };
}

export type OperatorMethod = keyof OperatorRoutes;
export type OperatorPath<Method extends OperatorMethod> = keyof OperatorRoutes[Method] & string;

/** The `data` of a call's response. */
export type OperatorOutput<
  Method extends OperatorMethod,
  Path extends OperatorPath<Method>,
> = RouteOutput<OperatorRoutes[Method][Path]>;

/** The input of a call: the path parameters, the optional `query` and the `body` that its route declares. */
export type OperatorInput<
  Method extends OperatorMethod,
  Path extends OperatorPath<Method>,
> = RouteInput<OperatorRoutes[Method][Path], Path>;
