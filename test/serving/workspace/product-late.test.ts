import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { buildServer } from '../../../serving/server.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let late: FastifyInstance
const position = { epoch: 1, partition: 2, offset: 30 }
beforeAll(async () => {
  assay = await startAssay()
  const settled = { kind: 'late', position } as const
  const edits = {
    create: async () => ({ product: '00000000-0000-4000-8000-000000000001', settled }),
    edit: async () => settled,
    undelete: async () => settled,
  }
  late = await buildServer({ ...serverPorts(assay.system), logger: null, edits })
})
afterAll(async () => {
  await late.close()
  await assay.close()
})

const path = `/api/workspace/${workspace}/catalog/products`

test('202: a write that is not refined in time is told with its place on the log', async () => {
  const authorization = `Bearer ${await assay.token('editor')}`
  const { product } = (await assay.call('POST', path, { title: 'Mug', price: 1 })).body
  const gone = (await assay.call('POST', path, { title: 'Cup', price: 1 })).body.product
  await assay.call('DELETE', `${path}/${gone.id}`)
  for (const [method, url, body] of [
    ['POST', path, { title: 'Plate', price: 1 }],
    ['PATCH', `${path}/${product.id}`, { title: 'Large mug' }],
    ['DELETE', `${path}/${product.id}`, undefined],
    ['POST', `${path}/${gone.id}/undelete`, {}],
  ] as const) {
    const answer = await late.inject({ method, url, headers: { authorization }, ...(body ? { payload: body } : {}) })
    expect({ status: answer.statusCode, body: answer.json() }).toEqual({
      status: 202,
      body: { productId: expect.any(String), stage: 'bronze', position },
    })
  }
})
