export { createToken as POST } from '../../../../lib/svc';
