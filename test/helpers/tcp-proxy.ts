import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** What a network does to what passes. `cut` breaks every connection, `swallow` takes everything and delivers nothing. */
export type Weather = 'fair' | 'cut' | 'swallow' | { delayMs: number }

export interface TcpProxy {
  url: string
  become(weather: Weather): void
}

/** A network between a client and the server at `url`, which a test can break. */
export async function tcpProxy(t: Test, url: string): Promise<TcpProxy> {
  const target = new URL(url)
  let weather: Weather = 'fair'
  const sockets = new Set<Socket>()
  const carry = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (weather === 'swallow') return
      const deliver = (): void => void (to.writable && to.write(chunk))
      if (typeof weather === 'object') setTimeout(deliver, weather.delayMs)
      else deliver()
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    sockets.add(from)
  }
  const server = createServer((client) => {
    if (weather === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    carry(client, upstream)
    carry(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    become(next) {
      // what was swallowed is lost: its connections do not come back to life
      if (next === 'cut' || weather === 'swallow') for (const socket of sockets) socket.destroy()
      weather = next
    },
  }
}
