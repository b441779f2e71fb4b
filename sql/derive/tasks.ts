/** A unit of work that may start once those it needs are done. */
export interface Task {
  name: string
  /** Names of tasks; a name that no task has is done already. */
  needs?: readonly string[]
  run(): Promise<unknown>
}

/**
 * Runs a number of tasks in parallel, each as soon as what it needs is done; where several could start, in the order of
 * the list. After a failure nothing more starts, and it is thrown when the running tasks have ended.
 * @throws Error naming tasks that wait for each other
 */
export async function runTasks(
  tasks: readonly Task[],
  atOnce: number,
  begun: (task: Task, done: number) => void = () => {},
): Promise<void> {
  const open = new Set(tasks.map(({ name }) => name))
  const waiting = [...tasks]
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  for (;;) {
    while (!failure && running.size < atOnce) {
      const next = waiting.findIndex((task) => !task.needs?.some((name) => open.has(name)))
      if (next < 0) break
      const [task] = waiting.splice(next, 1)
      begun(task!, tasks.length - open.size)
      const run: Promise<void> = Promise.resolve(task!.run()).then(
        () => {
          open.delete(task!.name)
          running.delete(run)
        },
        (error: unknown) => {
          failure ??= { error }
          running.delete(run)
        },
      )
      running.add(run)
    }
    if (running.size === 0) break
    await Promise.race(running)
  }
  if (failure) throw failure.error
  if (waiting.length > 0)
    throw new Error(`tasks wait for each other: ${waiting.map(({ name }) => name).join(', ')}`)
}
