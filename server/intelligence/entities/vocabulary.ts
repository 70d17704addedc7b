import { z } from 'zod'
import { TLP } from '../../domain/tlp.ts'

/** The colours that requests may have; TLP 2.0 colours are stored as their TLP 1 equivalents. */
export const tlpInput = z.enum([...TLP, 'CLEAR', 'AMBER_STRICT'])

/** The reliability of a source, from A (completely reliable) to F (cannot be judged). */
export const sourceReliability = z.enum(['A', 'B', 'C', 'D', 'E', 'F'])
