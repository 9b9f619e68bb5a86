export { showTenant as GET } from '../../lib/portal';
