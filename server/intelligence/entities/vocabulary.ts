import { z } from 'zod'
import { TLP } from '../../domain/tlp.ts'

/** The colours that may be sent: those of TLP 2.0 are turned into the older ones when they are stored. */
export const tlpInput = z.enum([...TLP, 'CLEAR', 'AMBER_STRICT'])

/** How far a source can be trusted, from A (always) to F (cannot be judged). */
export const sourceReliability = z.enum(['A', 'B', 'C', 'D', 'E', 'F'])
