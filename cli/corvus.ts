import { CommanderError } from 'commander'
import { refusal } from '../server/engine/errors.ts'
import { StartError } from '../server/ports/start-error.ts'
import { buildProgram } from './program.ts'
import { Refusal } from './refusal.ts'

/** Exit codes: 0 success, 1 failure, 2 invalid command. */
async function main(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isPlain = error instanceof StartError || error instanceof Refusal
    // Refusals of the platform are printed as one sentence; anything else is a bug and is printed with its stack.
    console.error(isPlain ? error.message : (refusal(error)?.message ?? error))
    return 1
  }
}

process.exit(await main(process.argv.slice(2)))
