import type {
  OperatorMethod,
  OperatorPath,
  OperatorRoutes,
  Permission,
} from '@svc/contract/operator';
import type { z } from 'zod';
import { type DeclaredSchemas, type Route, type Row, route, type Schema } from '../route.ts';

type Who = 'operator' | 'anyone';

/** A route for operators names the permission that its caller's role must have. */
type Needs<W extends Who> = W extends 'operator'
  ? { readonly needs: Permission }
  : { readonly needs?: undefined };

type Declared<Method extends OperatorMethod, Path extends OperatorPath<Method>> = {
  readonly method: Method;
  readonly path: Path;
} & DeclaredSchemas<OperatorRoutes[Method][Path]>;

/** The timeout of statements that read the whole ledger or thousands of rows: seconds with a million tenants. */
export const longReadMs = 60_000;

/**
 * Declares a route below `/operator/v1`. The compiler checks its schemas against the contract's
 * `OperatorRoutes`. A verb that changes something writes its audit entry with `recordOperatorAction`.
 */
export function operatorRoute<
  W extends Who,
  O extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  Method extends OperatorMethod = OperatorMethod,
  Path extends OperatorPath<Method> = OperatorPath<Method>,
>(
  row: Omit<Row<W, P, Q, B, O>, 'audit' | 'needs' | 'tag'> &
    Needs<W> &
    Declared<Method, Path> & { readonly audit?: 'in_verb' | { readonly none: string } },
): Route {
  return route({ ...row, tag: 'Operator' } as never);
}
