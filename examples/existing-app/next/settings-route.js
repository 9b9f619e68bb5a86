export { showSettings as GET } from '../../../../lib/svc';
