import { z } from 'zod'
import { droppedSchema } from './dropped.ts'
import { CONFIDENCES, EXTRACTED_TYPES, LABELS, USES } from './question.ts'

const offsets = z
  .object({
    field: z.string().describe('The name of the text.'),
    start: z.int().describe('In UTF-16 code units.'),
    end: z.int(),
  })
  .describe('Where it stands in the texts of the request, exactly.')

const observable = z.object({ type: z.string(), value: z.string() })

export const extractionResult = z.object({
  entities: z
    .array(
      z.object({
        type: z.enum(EXTRACTED_TYPES as [string, ...string[]]),
        title: z.string().describe('As the text spells it.'),
        aliases: z.array(z.string()).describe('Other names of it in the text.'),
        quote: z.string().describe('The words of the text that prove it.'),
        offsets,
        existing: z.string().nullable().describe('The id of a visible entity with this title or alias.'),
        confidence: z.enum(CONFIDENCES).describe('How sure the model is.'),
        attacks: z
          .array(
            z.object({
              technique: z.string().describe('For example T1566.001.'),
              name: z.string(),
              attacks: z.array(z.url()).describe('The attack nodes to classify with: the places of the technique.'),
            }),
          )
          .describe('Attack nodes that are loaded and that the text supports.'),
        observables: z.array(observable),
      }),
    )
    .describe('What the model found and the text proves.'),
  observables: z
    .array(
      observable.extend({
        quote: z.string().describe('The sentence of its first occurrence.'),
        offsets,
        is_excluded: z.boolean().describe('Whether it is on an exclusion list, so that imports leave it out.'),
        label: z.enum(LABELS).describe('What the model says about it.'),
        use: z.enum(USES).nullable().describe('What it is used for, according to the model.'),
      }),
    )
    .describe('Found without the model, as in the import of a text file.'),
  dropped: droppedSchema.describe('What the model said and the text does not prove.'),
  notes: z.array(z.string()),
})
