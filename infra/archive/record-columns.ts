/** What a record says of itself in columns of the archive; what it does not say, or not as a text, is null. */

export interface RecordColumns {
  readonly workspace: string | null
  readonly catalog: string | null
  readonly import: string | null
  readonly source: string | null
  readonly op: string | null
  /** Milliseconds since 1970. */
  readonly time: number | null
}

const silent: RecordColumns = { workspace: null, catalog: null, import: null, source: null, op: null, time: null }

/** @param value any bytes: the log keeps what nobody can read too */
export function recordColumns(value: Buffer): RecordColumns {
  const record = objectIn(value)
  if (record === null) return silent
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null)
  const time = Date.parse(text('at') ?? '')
  return {
    workspace: text('workspace'),
    catalog: text('catalog'),
    import: text('import'),
    source: text('source'),
    op: text('op'),
    time: Number.isNaN(time) ? null : time,
  }
}

function objectIn(value: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(value.toString())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null
  } catch {
    return null
  }
}
