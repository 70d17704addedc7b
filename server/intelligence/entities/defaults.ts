import { type Tlp, tlpOf } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { defaultValues } from '../../settings/default-values.ts'
import { readSettings } from '../../settings/setting.ts'
import { stix } from '../../settings/stix.ts'
import type { EntityItem } from './compose.ts'
import type { EntityData } from './entity-data.ts'
import { CONFIDENCE_VALUES, type CONFIDENCE_WORDS } from './records/confidence.ts'

type Confidence = (typeof CONFIDENCE_WORDS)[number]

/** The installation's defaults for new entities. */
export interface EntityDefaults {
  readonly confidence: Confidence | null
  readonly tlp: Tlp | null
  /** The prefix of generated STIX ids. */
  readonly namespace: string
}

/** Reads the defaults of the installation, unless all entities have values of their own. */
export async function defaultsFor({ db, baseUrl }: Context, items: readonly EntityItem[]): Promise<EntityDefaults> {
  const own = `${baseUrl}/`
  if (items.every(isComplete)) return { confidence: null, tlp: null, namespace: own }
  const { values, names } = await readSettings(db, { values: defaultValues, names: stix })
  const { confidence, tlp } = values.entity
  return { confidence, tlp: tlp === null ? null : tlpOf(tlp, 'RED'), namespace: names.namespace ?? own }
}

const isComplete = ({ data, meta }: EntityItem): boolean =>
  data.id !== undefined && data.confidence !== undefined && meta?.tlp_color !== undefined

/** The data with the default confidence. A copy: if the entity turns out to exist, it keeps the confidence it has. */
export function withConfidence<D extends EntityData>(data: D, confidence: Confidence | null): D {
  if (confidence === null || data.confidence !== undefined) return data
  return { ...data, confidence: data.type === 'custom-entity' ? recordOf(confidence) : confidence }
}

/** Custom entities store a confidence record instead of a word. */
const recordOf = (confidence: Confidence) => ({
  type: 'confidence' as const,
  value: CONFIDENCE_VALUES.find((value) => value.toLowerCase() === confidence) ?? 'Unknown',
})
