import { z } from 'zod'
import { observableOf } from '../../domain/observables/read.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import { link } from '../../engine/link.ts'
import type { Id } from '../../engine/reference.ts'
import { compileReader, DECLINED, type Read } from '../../fast/compiled-reader.ts'
import type { EntityData } from './entity-data.ts'
import type { EntityMeta } from './meta.ts'

export const MALICIOUSNESS = ['unknown', 'safe', 'low', 'medium', 'high'] as const

export type Maliciousness = (typeof MALICIOUSNESS)[number]

/** An observable by type and value, created if it does not exist. */
export interface NamedObservable {
  readonly id?: undefined
  readonly type: ObservableType
  readonly value: string
  readonly maliciousness?: Maliciousness | undefined
  readonly link_type?: string | null | undefined
}

/** An observable of an entity, by id or by type and value. */
export type ObservableLink = { readonly id: Id } | NamedObservable

const named = z.looseObject({
  type: z.string().optional(),
  value: z.string().optional(),
  link_type: z.string().max(100).nullable().optional(),
  maliciousness: z.enum(MALICIOUSNESS).optional(),
  meta: z.looseObject({ maliciousness: z.enum(MALICIOUSNESS).optional() }).optional(),
})

const reference = link('observables')

type Named = z.output<typeof named>

const asLink = (found: Pick<NamedObservable, 'type' | 'value'>, sent: Named): NamedObservable => ({
  type: found.type,
  value: found.value,
  link_type: sent.link_type,
  maliciousness: sent.maliciousness ?? sent.meta?.maliciousness,
})

const readNamed = compileReader(named)

/** Nearly all observables are sent by type and value. */
const readObservable: Read = (sent) => {
  const read = readNamed(sent)
  if (read === DECLINED) return DECLINED
  const { type, value } = read as Named
  const found = observableOf(type, value)
  return 'fault' in found ? DECLINED : asLink(found, read as Named)
}

const observableIn = z
  .union([z.string(), z.int(), named], { error: 'must be an id, a URL, or an object with type and value' })
  .transform((sent, check): ObservableLink => {
    if (typeof sent !== 'object' || (sent.type === undefined && sent.value === undefined)) {
      const parsed = reference.safeParse(sent)
      if (parsed.success) return parsed.data
      for (const { message } of parsed.error.issues) check.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const { type, value } = sent
    const found = observableOf(type, value)
    if ('fault' in found) {
      check.addIssue({ code: 'custom', message: found.fault, path: [found.field] })
      return z.NEVER
    }
    return asLink(found, sent)
  })

/** The observables of an entity in requests: ids, URLs, or objects with `type` and `value`. */
export const observablesIn = z.array(observableIn)

/** A faster reader for what `observablesIn` accepts. */
export const readObservables = compileReader(observablesIn, new Map([[observableIn, readObservable]]))

const NONE: readonly NamedObservable[] = []

/** The observables that an entity names inside its data and meta. */
export function extractsOf(data: EntityData | undefined, meta: EntityMeta | undefined): readonly NamedObservable[] {
  if (!data?.extracts && !meta?.manual_extracts) return NONE
  const extracts = [...(data?.extracts ?? []), ...(meta?.manual_extracts ?? [])]
  return extracts.flatMap((extract): NamedObservable[] => {
    const found = observableOf(extract.kind, extract.value, 'kind')
    if ('fault' in found) return []
    return [{ ...found, link_type: extract.link_type, maliciousness: maliciousnessOf(extract) }]
  })
}

/** The verdict that follows from a classification and its confidence. */
function maliciousnessOf({
  classification,
  confidence,
}: {
  classification?: string | null | undefined
  confidence?: 'low' | 'medium' | 'high' | null | undefined
}): Maliciousness | undefined {
  if (classification === 'good') return 'safe'
  if (classification === 'unknown') return 'unknown'
  if (classification === 'bad') return confidence ?? 'medium'
  return undefined
}
