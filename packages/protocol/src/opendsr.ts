// OpenDSR 2.0 as published, which is wider than our contract: other processors take more types of identities and of
// requests.

/** Spec 5.1. Processors may have others by extensions. */
export type OpenDsrIdentityType =
  | 'controller_customer_id'
  | 'android_advertising_id'
  | 'android_id'
  | 'email'
  | 'fire_advertising_id'
  | 'ios_advertising_id'
  | 'ios_vendor_id'
  | 'microsoft_advertising_id'
  | 'microsoft_publisher_id'
  | 'roku_publisher_id'
  | 'roku_advertising_id';

/** Spec 5.2. */
export type OpenDsrIdentityFormat = 'raw' | 'sha1' | 'md5' | 'sha256';

export interface OpenDsrIdentity {
  readonly identity_type: OpenDsrIdentityType;
  readonly identity_value: string;
  readonly identity_format: OpenDsrIdentityFormat;
}

/** Spec 7.1: the body of POST /requests. */
export interface OpenDsrRequest {
  readonly regulation: 'gdpr' | 'ccpa';
  /** UUID version 4, made by the controller. */
  readonly subject_request_id: string;
  readonly subject_request_type: 'erasure' | 'access' | 'portability';
  /** RFC 3339: when the person asked. */
  readonly submitted_time: string;
  readonly subject_identities?: readonly OpenDsrIdentity[];
  readonly status_callback_urls?: readonly string[];
  readonly api_version?: string;
  /** By the domain of the processor. */
  readonly extensions?: Readonly<Record<string, object>>;
}

/** Spec 6.3. */
export interface OpenDsrDiscovery {
  readonly api_version: string;
  readonly supported_identities: readonly {
    readonly identity_type: string;
    readonly identity_format: string;
  }[];
  readonly supported_subject_request_types: readonly string[];
  /** Where the certificate is that answers and callbacks are signed with. */
  readonly processor_certificate?: string;
}

/** Spec 7.3, without `encoded_request`, which holds the identities. */
export interface OpenDsrCreated {
  readonly controller_id: string;
  /** RFC 3339, as all times. */
  readonly expected_completion_time: string;
  readonly received_time: string;
  readonly subject_request_id: string;
  readonly processor_signature?: string;
}

/** Spec 8. */
export type OpenDsrRequestStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled';

/** Spec 8.3. */
export interface OpenDsrStatus {
  readonly controller_id: string;
  readonly expected_completion_time: string;
  readonly subject_request_id: string;
  readonly request_status: OpenDsrRequestStatus;
  readonly api_version?: string;
  readonly results_url?: string;
  readonly results_count?: number;
}

/** Spec 9.2. */
export interface OpenDsrCancelled {
  readonly controller_id: string;
  readonly received_time: string;
  readonly subject_request_id: string;
  readonly processor_signature?: string;
  readonly api_version?: string;
}
