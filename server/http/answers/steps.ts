import { Problem } from '../../errors.ts'
import type { Plan, Statement } from '../../query/plan.ts'
import type { AnswerDeps, Answering, StepResults } from './answering.ts'
import { whole } from './read.ts'

/** Values of the request's parameters, and the quarters that they come to. */
export const valuesOf = ({ query, when }: Plan): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(query.values),
  ...when.params,
})

/** The steps of the plan, one after the other; their results are bound by name. */
export async function runSteps(deps: AnswerDeps, answering: Answering): Promise<StepResults> {
  const { plan, published, signal } = answering
  const parameters = valuesOf(plan)
  let extra: StepResults = {}
  for (const { step, read } of plan.steps) {
    const result =
      'fetches' in step
        ? step.fetches(answering.fetches!)
        : 'client' in step
          ? await step.client(
              {
                ...answering.asking!,
                control: deps.engine.loader(),
                knows: published.coverage.knows,
                config: deps.engine.config,
                publication: published.publication,
              },
              { ...parameters, ...extra },
            )
          : 'needs' in step
            ? await needed(deps, answering, read!, step.otherwise)
            : await deps.workers.step<Record<string, unknown>>({
                task: step.task,
                key: JSON.stringify([published.publication.database, read]),
                read: () => readShared(deps, answering, read!),
                parameters,
                signal,
              })
    for (const name of Object.keys(step.binds)) {
      if (result[name] === undefined)
        throw new Error(`a step of ${plan.query.dataset.key} did not return ${name}`)
    }
    extra = { ...extra, ...result }
  }
  return extra
}

/** @throws Problem `not-found` with the reason where the statement has no row */
async function needed(
  deps: AnswerDeps,
  answering: Answering,
  read: Statement,
  otherwise: string,
): Promise<Record<string, unknown>> {
  const [column] = JSON.parse((await readShared(deps, answering, read)).toString()) as unknown[][]
  if (!column?.length) throw new Problem('not-found', otherwise)
  return {}
}

/** What a step reads: other requests wait for the same bytes, so no single one cancels it. */
async function readShared(
  { engine, gate }: AnswerDeps,
  answering: Answering,
  read: Statement,
): Promise<Buffer> {
  const { timing, published } = answering
  const leave = await timing.enter(gate)
  try {
    const { database } = published.publication
    return await whole(
      (await timing.read(engine, { ...read, database, format: 'JSONCompactColumns' })).stream,
    )
  } finally {
    leave()
  }
}
