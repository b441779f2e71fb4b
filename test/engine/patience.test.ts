import { createServer } from 'node:net'
import t from 'tap'
import { enginePaths, readEngineFile } from '../../server/engine/address.ts'
import { Connection } from '../../server/engine/connection.ts'
import { testEngine } from '../helpers/engine.ts'

t.test('a process that is held up does not take its own pause for the engine’s', async (t) => {
  const { engine } = await testEngine(t)
  const { url, reader, loader } = (await readEngineFile(enginePaths(engine.config).address))!
  const connection = new Connection({ url, reader, loader }, engine.config)
  t.teardown(() => connection.close())
  await connection.ping(5_000)
  const answered = connection.ping(500)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  await t.resolves(answered)
})

t.test('one that answers nothing is waited for as long as was said', async (t) => {
  const silent = createServer((socket) => socket.resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const { port } = silent.address() as { port: number }
  const { engine } = await testEngine(t)
  const user = { name: 'loader', password: '' }
  const connection = new Connection(
    { url: `http://127.0.0.1:${port}`, reader: user, loader: user },
    engine.config,
  )
  t.teardown(() => connection.close())
  await t.rejects(connection.ping(100), { name: 'TimeoutError' })
})
