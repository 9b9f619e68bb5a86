// index
import {
  Appearance,
  AppearanceVariable,
  CloseReason,
  Environment,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  SvcError,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcSettings,
  Theme,
  WidgetLayout,
} from '@svc/core';

import { CSSProperties, ForwardRefExoticComponent, RefAttributes } from 'react';

declare const SvcWidget: ForwardRefExoticComponent<SvcWidgetProps & RefAttributes<SvcWidgetHandle>>;

interface SvcWidgetHandle {
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

interface SvcWidgetProps extends Omit<SvcSettings, 'productVariant'> {
  product_variant?: SvcSettings['productVariant'];
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

interface UseSvc {
  ref: {
    current: SvcWidgetHandle | null;
  };
  openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;
}

declare function openExperienceAndSetToken(options: { token: string }): Promise<ExperienceResult>;

declare function useSvc(): UseSvc;

export {
  Appearance,
  AppearanceVariable,
  CloseReason,
  Environment,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  SvcError,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcWidget,
  SvcWidgetHandle,
  SvcWidgetProps,
  Theme,
  UseSvc,
  WidgetLayout,
  openExperienceAndSetToken,
  useSvc,
};
