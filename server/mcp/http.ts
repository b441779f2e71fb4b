/** `/mcp`: the Model Context Protocol as streamable HTTP, without sessions, so that any server of several can answer. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { MCP_PATH } from '../http/paths.ts'
import type { Ask } from './tools.ts'

/** A call is some hundred bytes. */
const MOST_BYTES = 64 * 1024

/**
 * Each call of a tool asks the API of this very server with the key and the address of who called, so tiers, allowances and
 * limits are those of the API. A page of another origin is refused, as the protocol wants.
 */
export function registerMcp(app: FastifyInstance): void {
  app.post(MCP_PATH, { bodyLimit: MOST_BYTES }, async (request, reply) => {
    const { headers, body } = request
    if (headers.origin !== undefined && !isOwn(headers.origin, headers.host))
      throw new Problem('bad-request', `the header Origin names another origin: ${headers.origin}`)
    // few ask for it, and nobody else is to wait for it at the start
    const [{ mcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import('./server.ts'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ])
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = mcpServer(askFor(app, request))
    try {
      await server.connect(transport)
      const answer = await transport.handleRequest(asWebRequest(request), { parsedBody: body })
      return reply
        .code(answer.status)
        .headers(Object.fromEntries(answer.headers))
        .header('cache-control', 'no-store')
        .send(await answer.text())
    } finally {
      await server.close()
    }
  })
}

/** Asks as the caller would: with the same key, from the same address. */
function askFor(app: FastifyInstance, { headers, socket }: FastifyRequest): Ask {
  const { authorization, host, 'x-forwarded-for': forwarded } = headers
  return async (url) => {
    const answer = await app.inject({
      url,
      remoteAddress: socket.remoteAddress ?? '127.0.0.1',
      headers: {
        ...(host !== undefined && { host }),
        ...(authorization !== undefined && { authorization }),
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      },
    })
    return { status: answer.statusCode, body: answer.body }
  }
}

function asWebRequest({ method, headers }: FastifyRequest): Request {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  return new Request(`http://localhost${MCP_PATH}`, { method, headers: kept })
}

const isOwn = (origin: string, host: string | undefined): boolean =>
  host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
