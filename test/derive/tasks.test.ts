import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runTasks, type Task } from '../../sql/derive/tasks.ts'

/** Tasks that note when they begin and end. */
function noting(needs: Record<string, string[]>) {
  const events: string[] = []
  const tasks: Task[] = Object.entries(needs).map(([name, before]) => ({
    name,
    needs: before,
    async run() {
      events.push(`+${name}`)
      await sleep(5)
      events.push(`-${name}`)
    },
  }))
  return { tasks, events }
}

t.test('a task begins when what it needs is done, and not before', async (t) => {
  const { tasks, events } = noting({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'], e: ['elsewhere'] })
  await runTasks(tasks, 3)
  const at = (event: string) => events.indexOf(event)
  for (const [before, after] of [
    ['-a', '+b'],
    ['-a', '+c'],
    ['-b', '+d'],
    ['-c', '+d'],
  ] as const)
    t.ok(at(before) < at(after), `${before} ${after}`)
  t.ok(at('+e') < at('-a'), 'what needs nothing of the list begins at once')
  t.equal(events.length, 10)
})

t.test('no more than so many at a time, in the order of the list', async (t) => {
  const { tasks, events } = noting({ a: [], b: [], c: [], d: [], e: [] })
  await runTasks(tasks, 2)
  let running = 0
  for (const event of events) {
    running += event.startsWith('+') ? 1 : -1
    t.ok(running <= 2)
  }
  t.same(
    events.filter((event) => event.startsWith('+')),
    ['+a', '+b', '+c', '+d', '+e'],
  )
})

t.test('after a failure nothing begins, and what is under way is waited for', async (t) => {
  const { tasks, events } = noting({ slow: [], never: ['bad'], later: [] })
  const bad: Task = { name: 'bad', run: () => Promise.reject(new Error('full disk')) }
  await t.rejects(runTasks([tasks[0]!, bad, tasks[1]!, tasks[2]!], 2), { message: 'full disk' })
  t.same(events, ['+slow', '-slow'])
})

t.test('tasks that wait for each other are named', async (t) => {
  const { tasks } = noting({ a: ['b'], b: ['a'], c: [] })
  await t.rejects(runTasks(tasks, 2), { message: 'tasks wait for each other: a, b' })
})
