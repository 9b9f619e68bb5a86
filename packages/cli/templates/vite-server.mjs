import { createServer } from 'node:http';
import express from 'express';
import { createServer as createVite } from 'vite';
import { svcRouter } from './svc-router.mjs';

// Vite and the backend on one port, so that the page needs neither CORS nor a proxy.
const port = Number(process.env.PORT ?? 3000);
const app = express();
const server = createServer(app);
server.on('error', (error) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is in use. Stop the other program, or set PORT to a free one.`);
  process.exitCode = 1;
});
app.use(svcRouter);
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } } });
app.use(vite.middlewares);
server.listen(port, () => console.log(`http://localhost:${port}/rent.html`));
server.on('close', () => vite.close());
