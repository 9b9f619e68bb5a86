import express from 'express';
import { svcRouter } from './router.js';

// To try the page at once, without the rest of your app.
const port = Number(process.env.PORT ?? 3000);
const app = express();
app.use(svcRouter);
const server = app.listen(port, (error?: Error) => {
  if (!error) console.log(`http://localhost:${port}/rent`);
});
server.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is in use. Stop the other program, or set PORT to a free one.`);
  process.exitCode = 1;
});
