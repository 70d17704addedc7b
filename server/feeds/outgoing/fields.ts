import { z } from 'zod'
import { computed, string } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { observableType } from '../../exchange/exporting/configuration.ts'
import { contentTypeOf } from '../../formats/formats.ts'
import { currentType } from '../../intelligence/entities/data/vendor-sighting.ts'
import { MALICIOUSNESS, type Maliciousness } from '../../intelligence/entities/observables-in.ts'
import { OUTGOING_TRANSPORTS, transportType } from '../transports.ts'

const MOST_LINKS = 200
const MOST_WORDS = 1000
const MOST_REPLACEMENTS = 200

/** References to what a feed is made of or limited to. */
export const links = (to: 'datasets' | 'sources' | 'taxonomies' | 'groups') => z.array(link(to)).max(MOST_LINKS)

export const tags = z.array(string(1, 500)).max(MOST_WORDS)

export const types = z.array(string(1, 200).transform(currentType)).max(MOST_WORDS).transform(distinct)

export const extractTypes = z.array(observableType).max(MOST_WORDS).transform(distinct)

export const linkTypes = z.array(string(1, 100)).max(MOST_WORDS).transform(distinct)

/** An allowed state of observables, as clients of this interface have always said it. */
export const extractState = z.object({
  classification: z.enum(['good', 'bad', 'unknown']),
  confidence: z.enum(['low', 'medium', 'high']).optional().describe('How bad: only with the classification bad.'),
})
export type ExtractState = z.output<typeof extractState>

const BAD: readonly ExtractState[] = (['low', 'medium', 'high'] as const).map((confidence) => ({
  classification: 'bad',
  confidence,
}))

/** The same as maliciousness, which is what observables have here. */
export const maliciousnessOf = ({ classification, confidence = 'high' }: ExtractState): Maliciousness =>
  classification === 'bad' ? confidence : classification === 'good' ? 'safe' : 'unknown'

const named = z.enum([...MALICIOUSNESS, 'malicious']).transform((state): readonly ExtractState[] => {
  if (state === 'malicious') return BAD
  if (state === 'safe') return [{ classification: 'good' }]
  return state === 'unknown' ? [{ classification: 'unknown' }] : [{ classification: 'bad', confidence: state }]
})

const classified = extractState
  .extend({ confidence: extractState.shape.confidence.nullable() })
  .transform(({ classification, confidence }): readonly ExtractState[] => {
    if (classification !== 'bad') return [{ classification }]
    return confidence ? [{ classification, confidence }] : BAD
  })

/** States of observables: as objects, or by how malicious they are. */
export const extractStates = z
  .array(
    z.union([named, classified], {
      error: `must be an object with classification and confidence, or one of ${MALICIOUSNESS.join(', ')}, malicious`,
    }),
  )
  .max(50)
  .transform((states) => [...new Map(states.flat().map((state) => [maliciousnessOf(state), state])).values()])

/** Literal replacements, in this order. */
export const replacements = z
  .array(z.object({ find: string(1, 1000), replace: string(0, 1000) }))
  .max(MOST_REPLACEMENTS)

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

const ways = transportType(OUTGOING_TRANSPORTS)

/** What feeds are found by in any of its spellings. */
export const spelled = {
  content_type: computed('text', z.string(), 't.content_type', (text) => contentTypeOf(text)?.urn ?? text),
  transport_type: computed('text', z.string(), 't.transport_type', (text) => ways.safeParse(text).data ?? text),
}
