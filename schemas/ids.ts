/** The ids that stand in paths and bodies. */
import { z } from 'zod'

export const workspaceId = z.string().regex(/^ws_[a-z0-9]+$/, 'a workspace id is ws_ and lower-case letters or digits')
export const brandId = z.uuid()
export const catalogId = z.uuid()
export const productId = z.uuid()
export const jobId = z.uuid()
