import { z } from 'zod'
import { recordOf } from './shape.ts'

/** A pointer to something outside the platform. */
export const externalReference = recordOf(
  { source_name: z.string() },
  {
    description: z.string(),
    external_id: z.string(),
    hashes: z.record(z.string(), z.string()),
    url: z.string(),
  },
)

const CAPEC_ID = 'must be CAPEC- followed by digits'

/** A pointer to an attack pattern of the CAPEC catalogue. */
export const capecReference = recordOf(
  {
    external_id: z.string({ error: CAPEC_ID }).regex(/^CAPEC-\d+$/, CAPEC_ID),
    source_name: z.literal('capec'),
  },
  { description: z.string(), url: z.string() },
)

/** A pointer of an attack pattern. Pointers to CAPEC must have the form of `capecReference`. */
export const attackPatternReference = externalReference.check(({ value, issues }) => {
  if (value.source_name !== 'capec') return
  const { error } = capecReference.safeParse(value)
  for (const { path, message } of error?.issues ?? []) issues.push({ code: 'custom', input: value, path, message })
})
