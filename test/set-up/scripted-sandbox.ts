import { after, afterEach } from 'node:test'
import { startDetonators } from './detonators.ts'

/** The application of the importing test file, with a sandbox whose answers tests arrange. Nothing of a test reaches the next one. */
export const corvus = await startDetonators()
afterEach(() => corvus.clear())
after(() => corvus.stop())
