/** A certificate that signs itself, for servers of tests: made anew each time, so that no key is kept anywhere. */
import { generateKeyPairSync, sign } from 'node:crypto'

const der = (tag: number, ...parts: readonly Buffer[]) => {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (n: number) => der(0x02, Buffer.from([n]))
const utcTime = (text: string) => der(0x17, Buffer.from(text))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
/** subjectAltName with one DNS name. */
const altName = (name: string) => sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))))
/** basicConstraints: it may sign, itself. */
const signsItself = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))

export function selfSigned(name: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    commonName(name),
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(altName(name), signsItself)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const whole = sequence(body, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
