import { credentialContext, headersContext } from './credentials.ts';
import { secretContext } from './secrets.ts';
import { privateKeysContext } from './signing-keys.ts';

/** A column of secrets that are encrypted with the vault. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The context with which the vault sealed a value, from the values of the primary key as text. */
  readonly contextOf: (key: readonly string[]) => string;
}

/** All sealed columns of the engine, so that the service can seal them again with another key. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'webhook_endpoints',
    column: 'sealed_auth',
    key: ['owner', 'id'],
    contextOf: ([, id = '']) => credentialContext(id),
  },
  {
    table: 'webhook_endpoints',
    column: 'sealed_headers',
    key: ['owner', 'id'],
    contextOf: ([, id = '']) => headersContext(id),
  },
  {
    table: 'webhook_endpoints',
    column: 'sealed_private_keys',
    key: ['owner', 'id'],
    contextOf: ([, id = '']) => privateKeysContext(id),
  },
  {
    table: 'webhook_secrets',
    column: 'sealed',
    key: ['owner', 'endpoint_id', 'ordinal'],
    contextOf: ([, endpointId = '']) => secretContext(endpointId),
  },
];
