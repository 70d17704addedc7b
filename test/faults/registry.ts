import { engineFaults } from './engine.ts'
import type { Fault } from './fault.ts'

/** Every fault that `npm run faults` plants. */
export const faults: readonly Fault[] = [...engineFaults]
