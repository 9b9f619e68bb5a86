import { openExperienceAndSetToken, SvcWidget } from '@svc/react';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Rent() {
  const [settings, setSettings] = useState(null);
  useEffect(() => {
    fetch('/api/svc/settings')
      .then((answer) => answer.json())
      .then(setSettings, console.error);
  }, []);
  return (
    <main style={{ maxWidth: 560 }}>
      <h1>Your rent</h1>
      <div style={{ minHeight: 250 }}>
        {settings && (
          <SvcWidget
            {...settings}
            onEvent={(type, data) => console.log(type, data)}
            onWidgetClickCallback={async () => {
              const answer = await fetch('/api/svc/token', { method: 'POST' });
              await openExperienceAndSetToken(await answer.json());
            }}
          />
        )}
      </div>
    </main>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Rent />
  </StrictMode>,
);
