import { expect, test } from 'vitest'
import { openLogger } from '../../infra/logger.ts'

function lines() {
  const written: string[] = []
  return { written, logger: openLogger('info', undefined, { write: (line) => void written.push(line) }) }
}

test.each([
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'token',
  'password',
  'secret',
  'key',
  'connectionString',
])('what stands under the name %s is not written, however deep', (name) => {
  const { written, logger } = lines()
  const hidden = 'ask_live_hidden'
  logger.info({ [name]: hidden, seen: 1 }, 'flat')
  logger.info({ req: { [name]: hidden } }, 'nested')
  logger.info({ req: { headers: { [name]: hidden } } }, 'as of a request')
  logger.child({}).info({ err: { cause: { config: { [name]: hidden } } } }, 'as of an error')
  expect(written).toHaveLength(4)
  expect(written.join('')).not.toContain(hidden)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ seen: 1, msg: 'flat', [name]: '***' })
})

test('an error is written with its message and stack', () => {
  const { written, logger } = lines()
  logger.error({ err: new Error('the store is away') }, 'request failed')
  expect(JSON.parse(written[0] ?? '').err).toMatchObject({ type: 'Error', message: 'the store is away' })
})
