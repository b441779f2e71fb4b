/** Traces by OTLP over HTTP, for those who set OTEL_EXPORTER_OTLP_ENDPOINT: nobody else loads its code. */
import { setTimeout } from 'node:timers/promises'
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyRequest } from 'fastify'
import { safeUrl } from '../access/secret.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../engine/engine.ts'
import { packageVersion } from '../package-version.ts'
import type { Finished } from './finished.ts'

export interface Tracer {
  /** Writes the spans of a request that is over: its own, and one for each wait at the gate and each query. */
  request(request: FastifyRequest, finished: Finished): void
  /** Sends what is still here. */
  close(): Promise<void>
}

type OtelConfig = Pick<
  Config,
  'otelExporterOtlpEndpoint' | 'otelExporterOtlpHeaders' | 'otelServiceName' | 'otelTracesSamplerArg'
>

const LONGEST_CLOSE_MS = 2_000

const getter = {
  keys: (headers: FastifyRequest['headers']) => Object.keys(headers),
  get: (headers: FastifyRequest['headers'], name: string) => headers[name],
}

/**
 * Spans are made when a request is over, with the times that were noted: so nothing of a request's way knows of them,
 * and no context has to follow its promises. Attributes: OpenTelemetry's conventions for HTTP servers, stable.
 */
export function openTracer(config: OtelConfig, log: Logger): Tracer {
  const tell = (message: string): void => log.warn({ detail: message }, 'a trace was not sent')
  const silent = (): void => {}
  diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const exporter = new OTLPTraceExporter({
    url: `${config.otelExporterOtlpEndpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    headers: headersOf(config.otelExporterOtlpHeaders),
    timeoutMillis: 5_000,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.otelServiceName,
      'service.version': packageVersion,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.otelTracesSamplerArg) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('us-banking-query-server', packageVersion)
  const propagator = new W3CTraceContextPropagator()

  return {
    request(request, { dataset, status, cache, milliseconds, timing, problem }) {
      const end = performance.timeOrigin + performance.now()
      // the time taken was read a little before this: no part may begin before the whole
      const starts = (timing?.parts ?? []).map(({ start }) => performance.timeOrigin + start)
      const startTime = Math.min(end - milliseconds, ...starts)
      const route = request.routeOptions.url
      const span = tracer.startSpan(
        route ? `${request.method} ${route}` : request.method,
        {
          kind: SpanKind.SERVER,
          startTime,
          attributes: {
            'http.request.method': request.method,
            'http.response.status_code': status,
            // without the query: what stands there may be private
            'url.path': safeUrl(request.url).split('?', 1)[0]!,
            'banking.dataset': dataset,
            'banking.cache': cache,
            'banking.request_id': request.id,
            ...(route && { 'http.route': route }),
            ...(problem !== null && { 'error.type': problem }),
            ...(timing && { 'banking.rows': timing.rows, 'banking.rows_read': timing.rowsRead }),
          },
        },
        propagator.extract(ROOT_CONTEXT, request.headers, getter),
      )
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      if (span.isRecording()) {
        const within = trace.setSpan(ROOT_CONTEXT, span)
        for (const part of timing?.parts ?? []) {
          const begun = performance.timeOrigin + part.start
          const kind = part.name === 'engine' ? SpanKind.CLIENT : SpanKind.INTERNAL
          tracer.startSpan(part.name, { kind, startTime: begun }, within).end(begun + part.milliseconds)
        }
      }
      span.end(end)
    },
    async close() {
      // a collector that is gone must not hold up a stop
      const sent = await Promise.race([
        provider.shutdown().then(
          () => true,
          () => false,
        ),
        setTimeout(LONGEST_CLOSE_MS, false, { ref: false }),
      ])
      if (!sent) tell('the collector did not take what was left at the stop')
    },
  }
}

/** `a=1,b=2`, values percent-encoded, as OTEL_EXPORTER_OTLP_HEADERS is defined. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
    }),
  )
}
