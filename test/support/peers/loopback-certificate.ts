import { getCACertificates, setDefaultCACertificates } from "node:tls";

/** A certificate for 127.0.0.1 and its key, only for TLS peers in tests. */
export const loopbackCertificate = `-----BEGIN CERTIFICATE-----
MIIBqDCCAU6gAwIBAgIUQWTImAfv51wnFFkDjYJNBm5go5swCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVdGVzdHMgb24gdGhpcyBtYWNoaW5lMCAXDTI2MTEyMTEyNDkw
NloYDzIxMjYxMDI4MTI0OTA2WjAgMR4wHAYDVQQDDBV0ZXN0cyBvbiB0aGlzIG1h
Y2hpbmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATtjFKiTaTCNUY2RKmQqijv
bgsFBbYLnjhsHWCZ3DWfs+pCrIZvojG8rtyDrb3yvlhhi3xYRf4s565HvX4Pw5Kj
o2QwYjAdBgNVHQ4EFgQUo/g3qQn/WDU/obL6MF6KMi6blWAwHwYDVR0jBBgwFoAU
o/g3qQn/WDU/obL6MF6KMi6blWAwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAG
hwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIQDs/RUdJ4jQiiIpkH9EwnD7QsalcSSv
ZcrnlFX/wf0e4QIgEDFsib4gjkH4ir48QLO9Y9BvCvIUlcNQLEUiZlEWgzQ=
-----END CERTIFICATE-----
`;

/** The key of the certificate. */
export const loopbackKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeoMXJqeqK5Y8kNK1
rfWWIZqh9L7Mh8FsZE0b7CsSyhahRANCAATtjFKiTaTCNUY2RKmQqijvbgsFBbYL
njhsHWCZ3DWfs+pCrIZvojG8rtyDrb3yvlhhi3xYRf4s565HvX4Pw5Kj
-----END PRIVATE KEY-----
`;

/** Adds the certificate to the certificates that this process trusts. */
export function trustLoopbackCertificate(): void {
  setDefaultCACertificates([...getCACertificates("default"), loopbackCertificate]);
}
