// A certificate for the name localhost that nobody signed. Made for these tests, of no use elsewhere:
// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
//   -subj /CN=localhost -addext subjectAltName=DNS:localhost
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgj4dt7fpDgs+q9K52
YKQyO+gHLKJ5yeqsgdX4m3ZdRtehRANCAAQ0xN/ku0OqQMJQjWv+cDBi3QMwOYTL
sYzQ4WiBODPLN8cLHZ8fS1LqpD4hVIHLTdu9oNunjD3Ob7sAdxIBA6VU
-----END PRIVATE KEY-----`;

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIULdvUYSro2KH3yMrwFGA699dH1FQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTA5MDYzN1oYDzIxMjYxMDIy
MDkwNjM3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ0xN/ku0OqQMJQjWv+cDBi3QMwOYTLsYzQ4WiBODPLN8cLHZ8fS1Lq
pD4hVIHLTdu9oNunjD3Ob7sAdxIBA6VUo2kwZzAdBgNVHQ4EFgQUtJIIFvKOe+/W
nffee4MkRc/mF9gwHwYDVR0jBBgwFoAUtJIIFvKOe+/Wnffee4MkRc/mF9gwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgNPqGFgyXI2ooEY8R4yJPydCKFYhwrM/USdFTHgD8ZaECIEuXxaq1Gjjk
hgjO+cOUk34rlEoikIRXa9aI/AePSE6W
-----END CERTIFICATE-----`;
