import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A publisher that stands in for the real one: answers by `answer`, and remembers what it was asked. */
export async function replay(t: Test, answer: Answer): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Answers with a status, text and headers. */
export const says =
  (status: number, text = '', headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers)
    response.end(text)
  }

/** Answers each request as the next of the list says; the last one for ever. */
export function inTurn(...answers: Answer[]): Answer {
  let next = 0
  return (request, response) => answers[Math.min(next++, answers.length - 1)]!(request, response)
}
