import { z } from 'zod'
import { eitherOf, recordOf } from './shape.ts'

/** The template that a report was made with. */
export const reportTemplateSummary = recordOf({}, { id: eitherOf(z.string(), z.int()), name: z.string() })
