/** interface.md's bodies `{ method, params }`, without `jsonrpc` and `id`: made whole, they are answered as calls. */

/** As a header repeats it; no method is called otherwise. */
const visible = /^[\x21-\x7e]+$/

/** @returns null for what is no such body */
export function shortForm(body: unknown, id: string): object | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  if (Object.hasOwn(body, 'jsonrpc') || Object.hasOwn(body, 'id')) return null
  const { method } = body as { method?: unknown }
  // A notification has no answer: who names one knows the protocol, and left out what makes it one.
  if (typeof method !== 'string' || !visible.test(method) || method.startsWith('notifications/')) return null
  return { ...body, jsonrpc: '2.0', id }
}
