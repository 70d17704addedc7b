import { type Chance, named } from './chance.ts'
import { type Analysis, type Annotation, ATTACKS, REVOKED } from './world.ts'

/** The matrix of all analyses. */
export const MATRIX = 'enterprise-attack'

const NODES = ATTACKS.filter((node) => node !== REVOKED)
const TECHNIQUES = ['T1566', 'T1059.001', 'T1486'] as const

/** Random analyses. Some scopes are empty, and some have a single object, which is often not seen. */
export const analysesOf = (chance: Chance, entities: readonly string[], datasets: readonly string[]): Analysis[] =>
  named(chance, 'analysis', 1, 3).map((name) => ({
    name,
    datasets: chance.flip(0.35) ? [chance.pick(datasets)] : [],
    entities: chance.pick([[], [chance.pick(entities)], chance.some(entities, 0.3)]),
    layer: chance.flip(0.35) ? chance.some(TECHNIQUES) : null,
  }))

/** Random annotations of analyses. */
export const annotationsOf = (chance: Chance, analyses: readonly Analysis[]): Annotation[] =>
  analyses.flatMap(({ name: analysis }) =>
    chance.some(NODES, 0.3).map((node, i) => ({ name: `note${i}of${analysis}`, analysis, node })),
  )
