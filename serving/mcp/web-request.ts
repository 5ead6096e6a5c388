/** A request in the form that the protocol's library takes, with as much of it as it reads. */

interface Asked {
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** A `Request` of the platform cost a tenth of a call. The body is told beside it, parsed. */
export function webRequest({ url, headers, signal }: Asked): Request {
  const named = { get: (name: string) => headers[name.toLowerCase()] ?? null }
  return { method: 'POST', url, headers: named, signal } as unknown as Request
}
