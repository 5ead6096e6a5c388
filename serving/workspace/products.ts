/** Products of a workspace: the routes that list, read, write and explain them. */
import type { FastifyPluginAsync } from 'fastify'
import { productExplain } from './product-explain.ts'
import { productList } from './product-list.ts'
import type { ProductPorts } from './product-ports.ts'
import { productProvenance } from './product-provenance.ts'
import { productRead } from './product-read.ts'
import { productWrite } from './product-write.ts'

export const products: FastifyPluginAsync<ProductPorts> = async (app, ports) => {
  // Of its own the prefix is there already.
  const own = { ...ports, prefix: '' }
  for (const routes of [productList, productRead, productProvenance, productExplain, productWrite])
    await app.register(routes, own)
}
