export type {
  Appearance,
  AppearanceVariable,
  CloseReason,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcLocale,
  SvcProblem,
  Theme,
  WidgetLayout,
} from '@svc/core';
export { Environment, SvcError } from '@svc/core/webview';
export { openExperience } from './mounted-widget.ts';
export { SvcWidget, type SvcWidgetHandle, type SvcWidgetProps } from './svc-widget.tsx';
export { type UseSvc, useSvc } from './use-svc.ts';
