import { pino } from 'pino'
import { startBackground } from '../server/background.ts'
import { connect } from '../server/database/database.ts'
import { bareServer } from './background.ts'
import { taskTypes } from './task-types.ts'

// A worker in its own process, which tests can kill.
const [url = ''] = process.argv.slice(2)
const database = connect({ connectionString: url }, { poolSize: 5, statementTimeoutMs: 30_000 })
const log = pino({ level: 'silent' })
const worker = await startBackground({
  server: bareServer(database),
  connection: { connectionString: url },
  log,
  types: taskTypes,
  followers: [],
})
process.on('SIGTERM', async () => {
  await worker.stop()
  await database.close()
})
console.log('ready')
