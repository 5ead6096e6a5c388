/** A listener of test brokers that speaks TLS and wants to know who is there; whoever comes by the usual one administers. */
import { selfSigned } from '../infra/egress/self-signed.ts'

const host = 'localhost'
export const password = 'a secret of tests'
/** None of them has a right before it is given one. */
const users = ['assay', 'limited', 'mugs']
const oneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n')
const login = 'org.apache.kafka.common.security'

export interface SecureListener {
  /** As KAFKA_BROKERS takes it. */
  readonly address: string
  /** By which it is believed. */
  readonly ca: string
}

/** @param usual the port of the listener that there is anyway */
export function secureListener(port: number, usual: number) {
  const { key, cert } = selfSigned(host)
  const plain = users.map((user) => `user_${user}="${password}"`).join(' ')
  const listener: SecureListener = { address: `${host}:${port}`, ca: cert }
  const settings = {
    listeners: `SECURE://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
    'advertised.listeners': `SECURE://${host}:${port},PLAINTEXT://127.0.0.1:${usual}`,
    'inter.broker.listener.name': 'PLAINTEXT',
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.certificate.chain': oneLine(cert),
    'ssl.keystore.key': oneLine(key),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.certificates': oneLine(cert),
    'listener.name.secure.plain.sasl.jaas.config': `${login}.plain.PlainLoginModule required ${plain};`,
    'listener.name.secure.scram-sha-256.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
    'listener.name.secure.scram-sha-512.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
    'listener.name.secure.oauthbearer.sasl.jaas.config': `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="assay";`,
  }
  return { listener, settings }
}

/** For formatting: the users, of both kinds of SCRAM. */
export const scramUsers = users.flatMap((user) =>
  ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${user},password=${password}]`,
  ]),
)
