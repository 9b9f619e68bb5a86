// The former name of `npm run svc-admin`, for scripts of 0.2.0. It will be removed in 0.4.0.
process.stderr.write(
  'This command is called "npm run svc-admin" from 0.3.0 on. The name svc works until 0.4.0.\n',
);
await import('./svc-admin.mjs');
