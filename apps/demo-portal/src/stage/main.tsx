import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Stage } from './stage.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <Stage />
  </StrictMode>,
);
