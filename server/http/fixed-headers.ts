/** Headers of every answer: security headers for browsers (helmet) and access for other origins (CORS). */
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'

/** Response headers exposed to scripts of other origins, beside the safelisted ones. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Range',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-As-Of',
  'X-Data-Version',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Dataset',
  'X-Total-Count',
  'X-Request-Id',
]

const PREFLIGHT_SECONDS = 86_400

const security: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    // scripts and styles of the docs come from this server alone; Scalar writes its configuration and styles inline
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", "'unsafe-inline'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      upgradeInsecureRequests: null,
    },
  },
  strictTransportSecurity: false,
  // answers are open to other origins, as CORS says
  crossOriginResourcePolicy: { policy: 'cross-origin' },
}

const openness: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD'],
  exposedHeaders: EXPOSED,
  maxAge: PREFLIGHT_SECONDS,
}

/** Adds them to every answer. */
export async function registerFixedHeaders(app: FastifyInstance): Promise<void> {
  const headers = await fixedHeaders()
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Call it after the hook that rejects OPTIONS requests which are not preflights. */
export async function answerPreflights(app: FastifyInstance): Promise<void> {
  // only a preflight's headers follow from what it asks: in a scope of its own the library sees its OPTIONS route alone
  await app.register(async (preflights) => void (await preflights.register(cors, openness)))
}

/** Taken from the libraries once: they would assemble the same headers for every request. */
async function fixedHeaders(): Promise<Record<string, string>> {
  const asked = fastify()
  await asked.register(helmet, security)
  await asked.register(cors, openness)
  let headers = {}
  asked.get('/', (_, reply) => {
    headers = { ...reply.getHeaders() }
    return reply.send()
  })
  await asked.inject('/')
  await asked.close()
  return headers
}
