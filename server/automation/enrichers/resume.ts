import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { circuitOf } from '../circuit.ts'

/** Ends suspensions, waits and open circuits, so that the next look-up starts at once. The limits stay. */
export const resumeEnrichers = ({ db }: Pick<Context, 'db'>, ids: readonly Id[]): Promise<void> =>
  circuitOf('enrichers').resume(db, ids)
