/** A span for every request through the OpenTelemetry API: free until the process has an SDK; part of the caller's trace where it names one. */
import {
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'

/** Nobody would see what was made for them. */
function isWithoutSdk(): boolean {
  const provider = trace.getTracerProvider()
  return provider instanceof ProxyTracerProvider && provider.getDelegateTracer('assay') === undefined
}

export function registerTracing(app: FastifyInstance) {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (isWithoutSdk()) return done()
    const { method, routeOptions, headers, id } = request
    const route = routeOptions.url
    const outer = propagation.extract(context.active(), headers)
    const attributes = {
      'http.request.method': method,
      ...(route === undefined ? {} : { 'http.route': route }),
      'assay.request_id': id,
    }
    const name = route === undefined ? method : `${method} ${route}`
    const span = trace.getTracer('assay').startSpan(name, { kind: SpanKind.SERVER, attributes }, outer)
    // Without an SDK nobody sees it, and there is nothing to be below.
    if (!isSpanContextValid(span.spanContext())) return done()
    spans.set(request, span)
    // What is begun for this request is below its span.
    context.with(trace.setSpan(outer, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    if (!span) return done()
    const { bearer } = request
    if (bearer) span.setAttribute('assay.workspace', bearer.workspace)
    span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    done()
  })
}
