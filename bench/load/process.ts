// The load generator in its own process: jobs come as messages, results go back as messages.
import { type Job, runJob } from './job.ts'

process.on('message', (job: Job) => {
  runJob(job).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.stack ?? error.message }),
  )
})
process.on('disconnect', () => process.exit(0))
