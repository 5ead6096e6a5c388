import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatedCall } from '../../../serving/mcp/repeated-call.ts'

const call = (id: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'optimize_product', arguments: { product_id: 'A', apply: true }, ...more },
})

test('tries of one call are one, whatever their ids and progress tokens; another call is another', () => {
  const first = repeatedCall.asked(call(1, { _meta: { progressToken: 1 } }))
  expect(repeatedCall.asked(call('again', { _meta: { progressToken: 'x' } }))).toEqual(first)
  expect(repeatedCall.asked(call(1, { arguments: { product_id: 'B', apply: true } }))).not.toEqual(first)
})

test('a try is answered under its own id', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.string()), fc.jsonValue(), (id, result) => {
      const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result })
      expect(JSON.parse(repeatedCall.again(answer, call(id)))).toEqual({ ...JSON.parse(answer), id })
    }),
  )
})

test('what failed is not kept: it may well go through the next time', () => {
  expect(repeatedCall.isMade('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}')).toBe(true)
  expect(repeatedCall.isMade('{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}')).toBe(false)
  expect(repeatedCall.isMade('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}')).toBe(false)
  expect(repeatedCall.isMade('[{"id":1,"result":{}},{"id":2,"error":{}}]')).toBe(false)
})
