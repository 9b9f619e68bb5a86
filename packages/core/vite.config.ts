import { defineConfig } from 'vite';

/** Fields of our own objects only: none is a setting, a message's field or the browser's. */
const internal =
  /^(given|settings|listeners|destroyed|widget|small|observer|request|busy|run|missed|patience|shell|channel|ready|renewing|failed|settle|unlock|timer|renewFrame|host|paint|nothingDue|nextPayment|hasPlan|unavailable|options|plan|terms|dues|failedHint|retry|result|opening|show|dialog|send|button|held|place|tenant|label|offer)$/;

export default defineConfig({
  define: {
    SVC_SANDBOX_ORIGIN: JSON.stringify(process.env.SVC_SANDBOX_ORIGIN ?? 'http://localhost:4000'),
    SVC_PRODUCTION_ORIGIN: JSON.stringify(process.env.SVC_PRODUCTION_ORIGIN) ?? 'undefined',
  },
  resolve: { conditions: ['source'] },
  build: {
    target: 'es2022',
    // light-dark() stays as written: its polyfill would double the colors.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    emptyOutDir: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'svc.js' },
    rolldownOptions: {
      output: {
        minify: { compress: true, mangle: true, codegen: true, mangleProps: { include: internal } },
      },
    },
  },
});
