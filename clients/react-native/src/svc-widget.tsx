import type { ExperienceResult } from '@svc/core';
import { loadFailureTexts } from '@svc/core/webview';
import {
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useReducer,
  useState,
} from 'react';
import { Modal, type StyleProp, StyleSheet, View, type ViewStyle } from 'react-native';
import { addMounted, MountedWidget, type NativeSettings } from './mounted-widget.ts';
import { ServicePage } from './service-page.tsx';

/** The settings of `@svc/core`, named as the props of `@svc/react`. All may change at any render. */
export interface SvcWidgetProps extends Omit<NativeSettings, 'productVariant'> {
  /** `hoa` for homeowners' associations; `rent` when omitted. */
  product_variant?: NativeSettings['productVariant'];
  /** Of the box around the widget, which is 250 high unless you say otherwise. */
  style?: StyleProp<ViewStyle>;
}

export interface SvcWidgetHandle {
  /** Opens the experience over the app. Resolves when it is closed, never rejects. */
  openExperience(options: { token: string }): Promise<ExperienceResult>;
}

/**
 * The widget. A tap calls `onWidgetClickCallback`, and the experience opens over the whole app. Wrong
 * settings don't tear down the screen: they are ERROR 1000.
 */
export const SvcWidget: ForwardRefExoticComponent<SvcWidgetProps & RefAttributes<SvcWidgetHandle>> =
  forwardRef<SvcWidgetHandle, SvcWidgetProps>(function SvcWidget(
    { style, product_variant: productVariant, ...others },
    ref,
  ) {
    const settings: NativeSettings = { ...others, productVariant };
    const [, renderAgain] = useReducer((count: number) => count + 1, 0);
    const [widget] = useState(() => new MountedWidget(settings, renderAgain));
    useEffect(() => addMounted(widget), [widget]);
    useEffect(() => widget.update(settings));
    useImperativeHandle(ref, () => ({ openExperience: ({ token }) => widget.open(token) }), [
      widget,
    ]);

    const { channel, experience } = widget;
    const { locale } = settings;
    const onLoadFailure = (msg: string) => widget.reportLoadFailure(msg);
    return (
      <View style={[styles.box, style]}>
        {channel && (
          <ServicePage
            key={channel.serviceOrigin}
            channel={channel}
            locale={locale}
            isScrollable={false}
            onLoadFailure={onLoadFailure}
          />
        )}
        {experience && (
          <Modal
            animationType="slide"
            presentationStyle="fullScreen"
            supportedOrientations={['portrait', 'landscape']}
            accessibilityLabel={loadFailureTexts(locale).dialogTitle}
            onRequestClose={() => widget.goBack()}
          >
            <ServicePage
              channel={experience.channel}
              locale={locale}
              isScrollable
              onLoadFailure={onLoadFailure}
              onClose={() => widget.goBack()}
            />
          </Modal>
        )}
      </View>
    );
  });

const styles = StyleSheet.create({ box: { height: 250, minWidth: 280 } });
