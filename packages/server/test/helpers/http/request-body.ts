export { identity, requestBody } from '../../../../protocol/test/helpers/request-body.ts';
