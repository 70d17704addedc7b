import type { Chance } from './chance.ts'
import { anyText } from './draw.ts'
import type { Instance } from './instance.ts'
import type { World } from './world.ts'

type Query = (instance: Instance) => string

/** Fields that a query may name, in any collection. */
const SEARCHED = [
  'data.title',
  'data.description',
  'tags',
  'extracts.value',
  'extracts.meta.maliciousness',
  'meta.maliciousness',
  'value',
  'sources.name',
  'data.x_text',
  'key',
]

/** A query in the terms of a world. */
export function bareQuery(chance: Chance, world: World): Query {
  const clauses = Array.from({ length: 1 + chance.below(2) }, (): ((instance: Instance) => string) => {
    const word = anyText(chance, world)
    const field = chance.flip() ? `${chance.pick(SEARCHED)}:` : ''
    const sign = chance.pick(['', '', '+', '-'])
    const shape = chance.pick([
      (text: string) => text,
      (text: string) => `"${text}"`,
      (text: string) => `${text}*`,
      (text: string) => `*${text.slice(1)}`,
      (text: string) => `${text}~1`,
      () => '[* TO zz]',
    ])
    const other = chance.pick([
      'meta.maliciousness:high',
      'extracts.meta.maliciousness:(high OR safe)',
      'extracts.meta.classification:unknown',
      '*:*',
      '_exists_:tags',
      '_exists_:data.description',
      'relevancy:[0 TO 1]',
      'type:*e*',
    ])
    return chance.flip(0.15)
      ? () => other
      : (instance) => `${sign}${field}${shape(word(instance).replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'))}`
  })
  return (instance) => clauses.map((clause) => clause(instance)).join(' ')
}

/** The same, encoded for a URL. */
export function luceneQuery(chance: Chance, world: World): Query {
  const query = bareQuery(chance, world)
  return (instance) => `query=${encodeURIComponent(query(instance))}`
}
