/** A span for every batch of a worker through the OpenTelemetry API; free until the process has an SDK. */
import { SpanStatusCode, trace } from '@opentelemetry/api'

export function batchSpan<T>(partition: number, records: number, work: () => Promise<T>): Promise<T> {
  const attributes = { 'assay.partition': partition, 'assay.records': records }
  return trace.getTracer('assay').startActiveSpan('worker batch', { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
