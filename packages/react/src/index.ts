export type {
  Appearance,
  AppearanceVariable,
  CloseReason,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  SvcDiagnosis,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcProblem,
  Theme,
  WidgetLayout,
} from '@svc/core';
export { Environment, SvcError } from '@svc/core';
export { openExperienceAndSetToken } from './mounted.ts';
export { SvcWidget, type SvcWidgetHandle, type SvcWidgetProps } from './svc-widget.ts';
export { type UseSvc, useSvc } from './use-svc.ts';
