// Derives settings for operators from those that were given, and checks that they fit together.
import { isSecureAddress } from '../domain/tenant/sso-issuer.ts';
import type { RoleMapping } from './operator-sso-kind.ts';
import type { DefaultedSettings, GivenSettings } from './settings.ts';

export interface OperatorConfig {
  /** Address of the console and its API. */
  readonly operatorUrl: string;
  readonly operatorSsoIssuer: string | undefined;
  readonly operatorSsoClientId: string | undefined;
  readonly operatorSsoClientSecret: string | undefined;
  readonly operatorSsoRoles: RoleMapping | undefined;
}

export function decideOperator(
  values: GivenSettings,
  { operatorPort }: DefaultedSettings,
  publicUrl: string,
): OperatorConfig {
  // Operators use the address of controllers, unless they have a separate port.
  const ownUrl =
    operatorPort === null
      ? publicUrl
      : `${values.tlsCertificate ? 'https' : 'http'}://localhost:${operatorPort}`;
  return {
    operatorUrl: values.operatorUrl ?? ownUrl,
    operatorSsoIssuer: values.operatorSsoIssuer,
    operatorSsoClientId: values.operatorSsoClientId,
    operatorSsoClientSecret: values.operatorSsoClientSecret,
    operatorSsoRoles: values.operatorSsoRoles,
  };
}

export function operatorProblems(values: GivenSettings): string[] {
  const problems: string[] = [];
  const { operatorPort, port, managementPort, operatorSsoIssuer: issuer } = values;
  if (operatorPort && (operatorPort === (port ?? 8080) || operatorPort === managementPort)) {
    problems.push('operator_port must be another port than port and management_port');
  }
  if (issuer !== undefined && values.operatorSsoClientId === undefined) {
    problems.push(
      'operator_sso.issuer needs operator_sso.client_id: the client that you have registered there for Unwrite',
    );
  }
  const url = values.operatorUrl ?? (operatorPort ? undefined : values.publicUrl);
  if (issuer !== undefined && url !== undefined && !isSecureAddress(new URL(url))) {
    problems.push(
      'operator_sso needs an operator_url with https (http only on localhost): browsers keep the session cookie only there',
    );
  }
  return problems;
}

export function operatorWarnings({ operatorSsoIssuer, operatorSsoRoles }: GivenSettings): string[] {
  if (operatorSsoIssuer === undefined || operatorSsoRoles !== undefined) return [];
  return [
    'operator_sso.roles is not set, so single sign-on refuses everybody; name the values of operator_sso.role_claim for the roles, such as roles: { admin: [privacy-admins] }',
  ];
}
