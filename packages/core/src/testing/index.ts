// Not from ../index.ts: a test that replaces that module with this one would import itself.
export { showSettingsProblem } from '../diagnostics/show-settings-problem.ts';
export { Environment } from '../environment.ts';
export { SvcError } from '../svc-error.ts';
export { type Contrast, contrastOf } from './contrast-of.ts';
export { type ExperiencePageOptions, experiencePage } from './experience-page.ts';
export { type FakeExperience, fakeExperiences, forgetFakes, Svc } from './fake-svc.ts';
