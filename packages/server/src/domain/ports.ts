// What the domain and the API need from outside. app/ decides who answers.
import type { RequestStatus } from '@unwrite/protocol';
import type { AuditRow } from './audit/audit-row.ts';
import type {
  CancelCommand,
  CancelOutcome,
  CreateOutcome,
  NewRequest,
  RequestKey,
  RequestState,
  RequestSummary,
} from './request/request.ts';
import type { ControllerId } from './tenant/controller-id.ts';
import type { Client, ClientSecret, Controller, UsableSecret } from './tenant/tenants.ts';

export type Clock = () => number;

/** The hot path. A promise that resolves means durable. */
export interface RequestStore {
  create(request: NewRequest): Promise<CreateOutcome>;
  cancel(command: CancelCommand): Promise<CancelOutcome>;
  read(key: RequestKey): Promise<RequestState | undefined>;
}

export interface RequestFilter {
  readonly controllerId?: ControllerId;
  readonly status?: RequestStatus;
  readonly receivedBefore?: number;
  readonly receivedAfter?: number;
  readonly limit: number;
}

/** What operators look at. */
export interface RequestCatalogue {
  list(filter: RequestFilter): Promise<RequestSummary[]>;
  /** More than one where several controllers use the same id. */
  find(subjectRequestId: string, controllerId?: ControllerId): Promise<RequestSummary[]>;
  /** What happened after the creation, oldest first. */
  auditOf(controllerId: ControllerId, subjectRequestId: string): Promise<AuditRow[]>;
}

export interface AuditFilter {
  readonly controllerId?: string;
  readonly subjectRequestId?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

export interface AuditLog {
  /** Newest first. */
  list(filter: AuditFilter): Promise<AuditRow[]>;
}

export interface TenantStore {
  controllers(): Promise<Controller[]>;
  controller(controllerId: ControllerId): Promise<Controller | undefined>;
  controllerOfOrganisation(organisation: string): Promise<ControllerId | undefined>;
  clients(controllerId?: ControllerId): Promise<Client[]>;
  client(clientId: string): Promise<Client | undefined>;
  secrets(clientId: string): Promise<ClientSecret[]>;
  /** What a token request is checked against; none for a client that is unknown or revoked. */
  usableSecrets(clientId: string): Promise<UsableSecret[]>;
  /** Whether a token of this client, got with this secret, may still be used. */
  mayUse(clientId: string, secretId: string | null): Promise<boolean>;
}

/** Each change writes its audit row in the same transaction. */
export interface TenantWriter {
  addController(controller: Controller, actor: string): Promise<void>;
  updateController(controller: Controller, time: number, actor: string): Promise<void>;
  addClient(client: Client, secret: ClientSecret, actor: string): Promise<void>;
  addSecret(secret: ClientSecret, actor: string): Promise<void>;
  revokeClient(clientId: string, time: number, actor: string): Promise<void>;
  revokeSecret(secretId: string, time: number, actor: string): Promise<void>;
  /** An operator took a token for a client without its secret. */
  recordToken(client: Client, time: number, actor: string): Promise<void>;
}

export interface StoredSigningKey {
  readonly kid: string;
  readonly publicJwk: string;
  readonly sealedPrivateKey: Uint8Array;
  readonly createdTime: number;
  /** Signs no more, but still verifies; null while it signs. */
  readonly retiredTime: number | null;
  /** Neither signs nor verifies from then on. */
  readonly revokedTime: number | null;
}

export interface SigningKeyStore {
  signingKeys(): Promise<StoredSigningKey[]>;
  /**
   * Adds the key and retires (or revokes) those before it, in one transaction. With `instead`: only
   * where that one still signs (null: none does), so that of several nodes one does it.
   */
  addSigningKey(
    key: StoredSigningKey,
    before: 'retire' | 'revoke',
    actor: string,
    instead?: { readonly of: string | null },
  ): Promise<void>;
  removeSigningKeysRetiredBefore(time: number): Promise<void>;
}

/** Seals small secrets of Unwrite's own, such as private signing keys, under the master key. */
export interface SecretSealer {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
}

export interface VaultKeyStore {
  /** The master keys that something in the store is sealed under; none in a new store. */
  masterKeyIds(): Promise<string[]>;
  /** Records that the store now holds things sealed under this key. */
  addMasterKey(masterKeyId: string, time: number): Promise<void>;
  /**
   * The same for a new store. Of several nodes that find it new at once, the first decides: false, and
   * nothing is done, where the store needs another key by now.
   */
  addFirstMasterKey(masterKeyId: string, time: number): Promise<boolean>;
}

/** Keys of our own that outlive the master key that seals them. */
export interface OwnSecretStore {
  ownSecret(name: string): Promise<Uint8Array | undefined>;
  /** Where there is one of that name already, it stays. */
  addOwnSecret(name: string, sealed: Uint8Array): Promise<void>;
}
