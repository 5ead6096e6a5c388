import { describe, expect, test } from 'vitest'
import { signV4 } from '../../../infra/archive/sign-v4.ts'

// The examples of Amazon's documentation, "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk".
const key = { region: 'us-east-1', keyId: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const host = 'https://examplebucket.s3.amazonaws.com'
const now = new Date('2013-05-24T00:00:00Z')
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe('a signature', () => {
  test.each([
    [
      'of a GET with a header',
      { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' }, sha256: empty },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'of a PUT to a name with a sign that is encoded',
      {
        method: 'PUT',
        path: '/test%24file.text',
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'of a query without a value',
      { method: 'GET', path: '/?lifecycle', headers: {}, sha256: empty },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'of a list',
      { method: 'GET', path: '/?max-keys=2&prefix=J', headers: {}, sha256: empty },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s is that of the documentation', (_, { path, ...request }, signature) => {
    const { authorization } = signV4({ ...request, url: new URL(path, host), now }, key)
    expect(authorization).toMatch(
      new RegExp(`^AWS4-HMAC-SHA256 Credential=${key.keyId}/20130524/us-east-1/s3/aws4_request, `),
    )
    expect(authorization?.split('Signature=')[1]).toBe(signature)
  })
})

test('a name that a folder of a day is in is signed as botocore 1.44 signs it', () => {
  const url = new URL('http://127.0.0.1:9000/assay/of/products.bronze/day%3D2026-11-03/1-0-000-001-ab.parquet')
  const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
  const request = { method: 'PUT', url, sha256, now: new Date('2026-11-28T01:02:03Z') }
  const { authorization } = signV4(request, { region: 'eu-test-1', keyId: 'KEY', secret: 'a secret' })
  expect(authorization?.split('Signature=')[1]).toBe('cd199a2d673f2f2b370a723cd79d1a6ed4b28c910a9f1527ebeff79934c04df4')
})
