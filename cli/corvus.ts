import { CommanderError } from 'commander'
import { refusal } from '../server/engine/errors.ts'
import { StartError } from '../server/ports/start-error.ts'
import { buildProgram } from './program.ts'
import { Refusal } from './refusal.ts'

/** 0 done, 1 it could not be done, 2 the command was not understood. */
async function main(args: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isPlain = error instanceof StartError || error instanceof Refusal
    // What the platform refuses it refuses in a sentence; the rest is a bug, and its trace is wanted.
    console.error(isPlain ? error.message : (refusal(error)?.message ?? error))
    return 1
  }
}

process.exit(await main(process.argv.slice(2)))
