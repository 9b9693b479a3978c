// oidc-provider has no types of its own; these are of the little that the tests use.
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }
  interface Context {
    readonly oidc: {
      readonly session: { readonly accountId: string };
      readonly provider: {
        readonly Grant: new (of: { clientId: string; accountId: string }) => Grant;
      };
    };
  }
  interface Configuration {
    findAccount?(context: Context, id: string): object;
    extraTokenClaims?(context: Context, token: { readonly accountId: string }): object;
    loadExistingGrant?(context: Context): Promise<Grant>;
    interactions?: { url(context: Context, interaction: { readonly uid: string }): string };
    [other: string]: unknown;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: Record<string, unknown> }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>;
  }
}
