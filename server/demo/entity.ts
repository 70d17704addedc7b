import type { EntityType } from '../intelligence/entities/entity-data.ts'
import { castOf } from './cast.ts'
import { details } from './details.ts'
import { extrasOf } from './extras.ts'
import { identityOf } from './identity.ts'
import { type Observable, observablesOf } from './observables.ts'
import { proseOf } from './prose.ts'
import { type Random, randomOf, streams } from './random.ts'
import { tagsOf } from './tags.ts'
import { demoTaxonomies } from './taxonomies.ts'
import { withArticles } from './template.ts'
import { timeOf } from './time.ts'
import { titleTemplates } from './titles.ts'

/** An entity in the form of the API. */
export interface DemoEntity {
  readonly data: {
    readonly id: string
    readonly type: EntityType
    readonly title: string
    readonly description: string
    readonly confidence: unknown
    readonly timestamp: string
    readonly [field: string]: unknown
  }
  readonly meta: {
    readonly tags: readonly string[]
    readonly half_life?: number
    readonly estimated_threat_start_time: string
    readonly estimated_observed_time: string
    readonly estimated_threat_end_time?: string
    readonly tlp_color: string
    readonly source_reliability: string
    readonly taxonomies?: readonly string[]
  }
  readonly observables: readonly [Observable, Observable, Observable]
}

const SMALLEST = 840
const SPREAD = 3100

/** Creates the entity of a seed at an index. It is always the same, on every machine and with any number of others. */
export function demoEntity(seed: number, index: number): DemoEntity {
  const random = randomOf(seed, index, streams.content)
  const { id, type } = identityOf(seed, index)
  const observables = observablesOf(seed, index)
  const cast = castOf(random, observables)
  const data = {
    id,
    type,
    title: withArticles(random.pick(titleTemplates[type])(random, cast)),
    description: '',
    confidence: random.prefer(['medium', 'high', 'low', 'unknown', 'none']),
    timestamp: timeOf(cast.written),
    ...details[type](random, cast),
    ...extrasOf(random, cast.written),
  }
  // The text fills what the fields leave, so that sizes do not depend on which fields there are.
  data.description = proseOf(random, cast, sizeOf(random) - JSON.stringify(data).length)
  const meta = {
    tags: tagsOf(random),
    ...(random.chance(30) && { half_life: random.pick([7, 30, 90, 182, 365, 720, 1000]) }),
    estimated_threat_start_time: timeOf(cast.firstSeen),
    estimated_observed_time: timeOf(cast.written),
    ...(random.chance(10) && { estimated_threat_end_time: timeOf(cast.lastSeen) }),
    tlp_color: random.prefer(['GREEN', 'WHITE', 'AMBER', 'RED', 'CLEAR', 'AMBER_STRICT', 'NONE']),
    source_reliability: random.prefer(['B', 'C', 'A', 'D', 'F', 'E']),
    ...(random.chance(25) && { taxonomies: taxonomiesOf(random) }),
  }
  return { data, meta, observables }
}

/** Generates the entities of a seed one by one. */
export function* demoEntities(seed: number, count: number, from = 0): Generator<DemoEntity> {
  for (let index = from; index < from + count; index++) yield demoEntity(seed, index)
}

/** Small ones are common, large ones rare. */
const sizeOf = (random: Random): number => SMALLEST + Math.min(random.below(SPREAD), random.below(SPREAD))

const taxonomiesOf = (random: Random): string[] => {
  const paths = demoTaxonomies()
  return [...new Set([random.prefer(paths), random.pick(paths)])]
}
