import { Environment, openExperience, SvcWidget } from '@svc/react-native';
import { useEffect, useState } from 'react';
import { ScrollView, StyleSheet, Text } from 'react-native';

/** Your backend: server.mjs. A phone reaches it at the address of your computer, not at localhost. */
const backend = process.env.EXPO_PUBLIC_BACKEND ?? 'http://localhost:4200';

interface Rent {
  balance: number;
  pms: string;
  externalId: string;
  signature: string;
  baseUrl: string;
}

export function App() {
  const [rent, setRent] = useState<Rent>();
  const [message, setMessage] = useState('Loading…');
  useEffect(() => {
    request<Rent>('/api/rent').then(setRent, () => setMessage(`${backend} does not answer.`));
  }, []);

  return (
    <ScrollView contentContainerStyle={styles.screen}>
      <Text style={styles.title}>Rent</Text>
      {rent ? (
        <SvcWidget
          {...rent}
          environment={Environment.Sandbox}
          fetchToken={fetchToken}
          onWidgetClickCallback={async () => {
            const { reason } = await openExperience({ token: await fetchToken() });
            if (reason === 'completed') setMessage('Your rent is split.');
          }}
          onEvent={(type, data) => console.log(type, data)}
          style={styles.widget}
        />
      ) : null}
      <Text>{rent && message === 'Loading…' ? '' : message}</Text>
    </ScrollView>
  );
}

async function fetchToken(): Promise<string> {
  const { token } = await request<{ token: string }>('/api/svc/token', { method: 'POST' });
  return token;
}

async function request<T>(path: string, options?: RequestInit): Promise<T> {
  const response = await fetch(backend + path, options);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.json();
}

const styles = StyleSheet.create({
  screen: { gap: 16, padding: 16, paddingTop: 72 },
  title: { fontSize: 28, fontWeight: '600' },
  widget: { height: 280 },
});
