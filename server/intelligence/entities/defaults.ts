import { type Tlp, tlpOf } from '../../domain/tlp.ts'
import type { Context } from '../../engine/resource.ts'
import { defaultValues } from '../../settings/default-values.ts'
import { readSettings } from '../../settings/setting.ts'
import { stix } from '../../settings/stix.ts'
import type { EntityItem } from './compose.ts'
import type { EntityData } from './entity-data.ts'
import { CONFIDENCE_VALUES, type CONFIDENCE_WORDS } from './records/confidence.ts'

type Confidence = (typeof CONFIDENCE_WORDS)[number]

/** What the installation gives to new entities that do not say it themselves. */
export interface EntityDefaults {
  readonly confidence: Confidence | null
  readonly tlp: Tlp | null
  /** What the STIX ids that are made here begin with. */
  readonly namespace: string
}

/** The defaults of the installation; asked for only when somebody leaves something to them. */
export async function defaultsFor({ db, baseUrl }: Context, items: readonly EntityItem[]): Promise<EntityDefaults> {
  const own = `${baseUrl}/`
  if (items.every(isComplete)) return { confidence: null, tlp: null, namespace: own }
  const { values, names } = await readSettings(db, { values: defaultValues, names: stix })
  const { confidence, tlp } = values.entity
  return { confidence, tlp: tlp === null ? null : tlpOf(tlp, 'RED'), namespace: names.namespace ?? own }
}

const isComplete = ({ data, meta }: EntityItem): boolean =>
  data.id !== undefined && data.confidence !== undefined && meta?.tlp_color !== undefined

/** The data of a new entity with its confidence: a copy, because an entity that is known already gets no default. */
export function withConfidence<D extends EntityData>(data: D, confidence: Confidence | null): D {
  if (confidence === null || data.confidence !== undefined) return data
  return { ...data, confidence: data.type === 'custom-entity' ? recordOf(confidence) : confidence }
}

/** Entities of custom types say it in the longer form. */
const recordOf = (confidence: Confidence) => ({
  type: 'confidence' as const,
  value: CONFIDENCE_VALUES.find((value) => value.toLowerCase() === confidence) ?? 'Unknown',
})
