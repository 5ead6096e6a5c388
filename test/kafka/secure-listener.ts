/** A listener of test brokers that speaks TLS and wants to know who is there. */
import { selfSigned } from '../infra/egress/self-signed.ts'

export const host = 'localhost'
export const password = 'a secret of tests'
const { key, cert } = selfSigned(host)
/** By which it is believed. */
export const caCertificate = cert
const oneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n')
const login = 'org.apache.kafka.common.security'

export const secureListener = (port: number) => ({
  listeners: `SECURE://127.0.0.1:${port}`,
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
  'advertised.listeners': `SECURE://${host}:${port}`,
  'inter.broker.listener.name': 'SECURE',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.certificate.chain': oneLine(cert),
  'ssl.keystore.key': oneLine(key),
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.certificates': oneLine(cert),
  'listener.name.secure.plain.sasl.jaas.config': `${login}.plain.PlainLoginModule required username="assay" password="${password}" user_assay="${password}";`,
  'listener.name.secure.scram-sha-256.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
  'listener.name.secure.scram-sha-512.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
  'listener.name.secure.oauthbearer.sasl.jaas.config': `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="assay";`,
})

/** For formatting: the user `assay`, of both kinds of SCRAM. */
export const scramUser = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
  '--add-scram',
  `${mechanism}=[name=assay,password=${password}]`,
])
