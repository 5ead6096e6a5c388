import { expect, test } from 'vitest'
import { ownAddress } from '../../../infra/system/own-address.ts'

const own = (host: string, port: number, publicUrl?: string) => ownAddress({ host, port, publicUrl })

test('who is told where a feed is gets there: by the public address, else by where the server listens', () => {
  expect(own('0.0.0.0', 8080, 'https://assay.example.test')).toBe('https://assay.example.test')
  expect(own('127.0.0.1', 8791)).toBe('http://127.0.0.1:8791')
  expect(own('0.0.0.0', 9000)).toBe('http://localhost:9000')
  expect(new URL(own('::1', 9000)).hostname).toBe('[::1]')
})
