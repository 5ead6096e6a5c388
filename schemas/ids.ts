/** The ids that stand in paths and bodies. */
import { z } from 'zod'

export const workspaceId = z.string().regex(/^ws_[a-z0-9]+$/, 'a workspace id is ws_ and lower-case letters or digits')
/** Compared as text in places, so one way of writing. */
const uuid = z.uuid().toLowerCase()
export const brandId = uuid
export const catalogId = uuid
export const productId = uuid
export const jobId = uuid
export const importId = uuid
export const dashboardId = uuid
export const widgetId = uuid
export const webhookId = uuid
export const deliveryId = uuid
