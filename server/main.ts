import { StartError } from './ports/start-error.ts'
import { start } from './start.ts'

const role = process.argv[2] ?? 'serve'

try {
  if (role !== 'serve' && role !== 'worker')
    throw new StartError(`The role must be "serve" or "worker", not "${role}".`)
  await start(role)
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
process.exit()
