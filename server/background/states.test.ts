import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTasks } from '../../test/background.ts'
import { patient } from '../../test/task-types.ts'
import { until } from '../../test/until.ts'
import { writeReports } from './states.ts'

let tasks: Awaited<ReturnType<typeof openTasks>>
before(async () => {
  tasks = await openTasks()
})
after(() => tasks.drop())

test("a worker that returns after its run was given to another does not overwrite the other's report", async () => {
  const { id } = await tasks.start(patient)
  const first = await tasks.startWorker()
  await tasks.until(id, 'STARTED')
  await first.stop()
  await using _second = await tasks.startWorker()
  await until(async () => (await tasks.read(id)).log.includes('attempt 2 waits'), 'the second attempt reports nothing')
  const { log, progress } = await tasks.read(id)
  await writeReports(tasks.db, [{ id, attempt: 1, log: ['attempt 1 came back'], progress: 0.9 }])
  assert.partialDeepStrictEqual(await tasks.read(id), { state: 'STARTED', attempt: 2, log, progress })
  await tasks.stop(id)
  await writeReports(tasks.db, [{ id, attempt: 2, log: ['attempt 2 came late'], progress: 0.9 }])
  assert.partialDeepStrictEqual(await tasks.read(id), { state: 'REVOKED', log, progress })
})
