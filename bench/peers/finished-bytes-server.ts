// The limit: every file of a folder in memory, each sent as it is.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify from 'fastify'

const [port, folder] = process.argv.slice(2)
const app = fastify()
for (const name of await readdir(folder!)) {
  const body = await readFile(join(folder!, name))
  app.get(`/${name}`, (_, reply) => reply.type('application/octet-stream').send(body))
}
await app.listen({ host: '127.0.0.1', port: Number(port) })
