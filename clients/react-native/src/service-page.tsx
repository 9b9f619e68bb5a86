import type { SvcSettings } from '@svc/core';
import { loadFailureTexts, webviewPath } from '@svc/core/webview';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Linking, Pressable, StyleSheet, Text, useColorScheme, View } from 'react-native';
import { WebView } from 'react-native-webview';
import { originOf, type PageChannel } from './page-channel.ts';

/** A page that has said nothing after this many milliseconds gets an error message and a retry. */
const loadTimeout = 12_000;

interface ServicePageProps {
  channel: PageChannel;
  locale: SvcSettings['locale'];
  /** The widget is as large as its box, and does not scroll. */
  isScrollable: boolean;
  onLoadFailure(msg: string): void;
  /** With it, a page that did not load has a button to close it. */
  onClose?: (() => void) | undefined;
}

/** A WebView with the service's page, and a message with a retry where it does not load. */
export function ServicePage({
  channel,
  locale,
  isScrollable,
  onLoadFailure,
  onClose,
}: ServicePageProps): ReactElement {
  const [attempt, setAttempt] = useState(0);
  const [phase, setPhase] = useState<'loading' | 'shown' | 'failed'>('loading');
  const url = channel.serviceOrigin + webviewPath;

  const fail = (what: string) => {
    if (phase === 'failed') return;
    channel.disconnect();
    setPhase('failed');
    onLoadFailure(`${url} ${what}`);
  };
  const failLate = useRef(() => {});
  useEffect(() => {
    failLate.current = () => fail('did not load within 12 seconds.');
  });
  // `attempt`: the system may end a page that is loading, and each page has its own time.
  useEffect(() => {
    if (phase !== 'loading') return;
    const timer = setTimeout(() => failLate.current(), loadTimeout);
    return () => clearTimeout(timer);
  }, [phase, attempt]);
  const reload = () => {
    channel.disconnect();
    setPhase('loading');
    setAttempt(attempt + 1);
  };

  if (phase === 'failed') {
    return <LoadFailure locale={locale} onRetry={reload} onClose={onClose} />;
  }
  return (
    <WebView
      key={attempt}
      ref={(webView) => {
        channel.webView = webView;
      }}
      source={{ uri: url }}
      style={styles.page}
      onMessage={({ nativeEvent }) => {
        if (channel.receive(nativeEvent)) setPhase('shown');
      }}
      // With other values, react-native-webview opens what is not on the list in any app that takes it.
      originWhitelist={['*']}
      onShouldStartLoadWithRequest={(request) => {
        if (request.url === url) return true;
        // The experience is in a frame of the page. A frame has no other content.
        if (request.isTopFrame === false) {
          return originOf(request.url) === channel.serviceOrigin || request.url === 'about:blank';
        }
        openOutside(request.url);
        return false;
      }}
      onOpenWindow={({ nativeEvent }) => openOutside(nativeEvent.targetUrl)}
      // For iOS. On Android, the WebView hands downloads to the system.
      onFileDownload={({ nativeEvent }) => openOutside(nativeEvent.downloadUrl)}
      onError={({ nativeEvent }) => fail(`did not load: ${nativeEvent.description}.`)}
      onHttpError={({ nativeEvent }) => {
        if (nativeEvent.url === url) fail(`answered ${nativeEvent.statusCode}.`);
      }}
      // The system has ended the page to free memory.
      onContentProcessDidTerminate={reload}
      onRenderProcessGone={reload}
      scrollEnabled={isScrollable}
      bounces={false}
      overScrollMode="never"
      // The page keeps clear of notches and keyboard itself.
      contentInsetAdjustmentBehavior="never"
      automaticallyAdjustContentInsets={false}
      keyboardDisplayRequiresUserAction={false}
      allowFileAccess={false}
      thirdPartyCookiesEnabled={false}
      mixedContentMode="never"
      allowsLinkPreview={false}
    />
  );
}

/** Opens links to other sites, and our documents, in the browser, the mail program or the phone. */
function openOutside(url: string): void {
  if (/^(https?|mailto|tel|sms):/i.test(url)) Linking.openURL(url).catch(console.warn);
}

function LoadFailure({
  locale,
  onRetry,
  onClose,
}: Pick<ServicePageProps, 'locale' | 'onClose'> & { onRetry(): void }): ReactElement {
  const texts = loadFailureTexts(locale);
  const isDark = useColorScheme() === 'dark';
  const color = isDark ? '#ffffff' : '#101828';
  const buttons = { [texts.retry]: onRetry, ...(onClose && { [texts.close]: onClose }) };
  return (
    <View style={[styles.failure, { backgroundColor: isDark ? '#0c111d' : '#ffffff' }]}>
      <Text accessibilityRole="alert" style={[styles.text, { color }]}>
        {texts.title}
      </Text>
      {Object.entries(buttons).map(([text, onPress]) => (
        <Pressable key={text} accessibilityRole="button" onPress={onPress} style={styles.button}>
          <Text style={[styles.text, { color }]}>{text}</Text>
        </Pressable>
      ))}
    </View>
  );
}

const styles = StyleSheet.create({
  page: { flex: 1, backgroundColor: 'transparent' },
  failure: { flex: 1, alignItems: 'center', justifyContent: 'center', gap: 8, padding: 24 },
  text: { fontSize: 16, textAlign: 'center' },
  button: { minHeight: 44, minWidth: 44, justifyContent: 'center', paddingHorizontal: 16 },
});
