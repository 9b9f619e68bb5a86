export {
  addWorker,
  type ClusterDatabase,
  copyOnCluster,
  createClusterDatabase,
  joinServers,
} from './testing/cluster-database.ts';
export { countReads, explainReads, literal, type Reads } from './testing/count-reads.ts';
export { describeSchema } from './testing/describe-schema.ts';
export { maybeRowOf, oneRowOf, rowsOf } from './testing/read-rows.ts';
export { runFolder } from './testing/run-folder.ts';
export { sourceArgs } from './testing/source-args.ts';
export { findCitus, startCitus, type TestCluster } from './testing/start-citus.ts';
export { type Backup, type CitusServer, startCitusServer } from './testing/start-citus-server.ts';
export { findPgbouncer, startPgbouncer } from './testing/start-pgbouncer.ts';
export { startPostgres, type TestServer } from './testing/start-postgres.ts';
export { startTcpProxy, type TcpProxy } from './testing/tcp-proxy.ts';
export {
  keepDatabases,
  openTestDatabase,
  type TestDatabase,
  type TestKind,
  type TestTarget,
  testDatabaseUrl,
  testKind,
  testTarget,
} from './testing/test-database.ts';
export { type Ran, watchStatements } from './testing/watch-statements.ts';
