import { z } from 'zod'
import { computed, string } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { observableType } from '../../exchange/exporting/configuration.ts'
import { contentTypeOf } from '../../formats/formats.ts'
import { currentType } from '../../intelligence/entities/data/vendor-sighting.ts'
import { MALICIOUSNESS, type Maliciousness } from '../../intelligence/entities/observables-in.ts'
import { OUTGOING_TRANSPORTS, transportType } from '../transports/transports.ts'

const MAX_LINKS = 200
const MAX_WORDS = 1000
const MAX_REPLACEMENTS = 200

/** References to what a feed contains or is limited to. */
export const links = (to: 'datasets' | 'sources' | 'taxonomies' | 'groups') => z.array(link(to)).max(MAX_LINKS)

export const tags = z.array(string(1, 500)).max(MAX_WORDS)

export const types = z.array(string(1, 200).transform(currentType)).max(MAX_WORDS).transform(distinct)

export const extractTypes = z.array(observableType).max(MAX_WORDS).transform(distinct)

export const linkTypes = z.array(string(1, 100)).max(MAX_WORDS).transform(distinct)

/** An allowed state of observables, in the form that existing clients use. */
export const extractState = z.object({
  classification: z.enum(['good', 'bad', 'unknown']),
  confidence: z
    .enum(['low', 'medium', 'high'])
    .optional()
    .describe('Only with the classification bad: how certain it is.'),
})
export type ExtractState = z.output<typeof extractState>

const BAD: readonly ExtractState[] = (['low', 'medium', 'high'] as const).map((confidence) => ({
  classification: 'bad',
  confidence,
}))

/** Converts an allowed state to the maliciousness of observables. */
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

/** States of observables, as objects or as levels of maliciousness. */
export const extractStates = z
  .array(
    z.union([named, classified], {
      error: `must be an object with classification and confidence, or one of ${MALICIOUSNESS.join(', ')}, malicious`,
    }),
  )
  .max(50)
  .transform((states) => [...new Map(states.flat().map((state) => [maliciousnessOf(state), state])).values()])

/** Literal replacements, in this order. */
export const replacements = z.array(z.object({ find: string(1, 1000), replace: string(0, 1000) })).max(MAX_REPLACEMENTS)

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

const outgoingTransportType = transportType(OUTGOING_TRANSPORTS)

/** Fields that can be filtered on in any spelling. */
export const spelled = {
  content_type: computed('text', z.string(), 't.content_type', (text) => contentTypeOf(text)?.urn ?? text),
  transport_type: computed(
    'text',
    z.string(),
    't.transport_type',
    (text) => outgoingTransportType.safeParse(text).data ?? text,
  ),
}
