import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { isTechnique, type Node, type Nodes } from '../../attack/classification/nodes.ts'
import { isLive } from '../../attack/classification/references.ts'
import { plainText } from '../../attack/frameworks/plain-text.ts'
import type { Context } from '../../engine/context.ts'
import { type Ranking, rankingOf } from './ranking.ts'

/** A live technique in all its places. */
export interface Technique {
  readonly matrix: string
  readonly externalId: string
  readonly name: string
  readonly places: readonly Node[]
}

/** What sentences are compared with. */
export interface TechniqueIndex {
  readonly techniques: readonly Technique[]
  readonly rank: Ranking
  /** The id of the procedure that a text is; null for the description of the technique. */
  procedureOf(text: number): number | null
  /** Whether more than names is known of the techniques of ATT&CK. */
  readonly hasTexts: boolean
}

/** Ten times what all matrices have: together with the limit on each text, this bounds the memory. */
const MAX_PROCEDURES = 200_000
const LONGEST_DESCRIPTION = 10_000

/** The nodes of a process are one object until a framework is stored. */
const indexes = new WeakMap<Nodes, Promise<TechniqueIndex>>()

/** The texts of all live techniques, prepared for ranking. They are read once for each version of the nodes. */
export function techniqueIndex({ db }: Pick<Context, 'db'>, nodes: Nodes): Promise<TechniqueIndex> {
  const known = indexes.get(nodes)
  if (known) return known
  const index = makeIndex(db, nodes)
  indexes.set(nodes, index)
  index.catch(() => indexes.delete(nodes))
  return index
}

async function makeIndex(db: Context['db'], nodes: Nodes): Promise<TechniqueIndex> {
  const techniques = techniquesOf(nodes)
  const positions = new Map(techniques.map(({ matrix, externalId }, i) => [`${matrix} ${externalId}`, i]))
  const { rows: described } = await sql<{ matrix: string; external_id: string; description: string }>`
    select distinct on (matrix, external_id) matrix, external_id, left(description, ${LONGEST_DESCRIPTION}) as description
    from attack_nodes
    where state = 'live' and type in ('technique', 'subtechnique') and description <> ''
    order by matrix, external_id, id`.execute(db)
  const { rows: procedures } = await sql<{ id: number; matrix: string; technique: string; text: string }>`
    select id, matrix, technique, text from attack_procedures order by id limit ${MAX_PROCEDURES}`.execute(db)
  const descriptions = new Map(described.map((row) => [`${row.matrix} ${row.external_id}`, plainText(row.description)]))
  const texts: string[] = []
  const owners: number[] = []
  const ids: number[] = []
  const add = (text: string, technique: number, id: number) => {
    texts.push(text)
    owners.push(technique)
    ids.push(id)
  }
  for (const [i, technique] of techniques.entries()) {
    const { name, matrix, externalId } = technique
    const above = nodes.get(technique.places[0]?.parent ?? '')
    const parent = above && isTechnique(above) ? `${above.name}: ` : ''
    // Words of the name count twice.
    add(`${parent}${name}. ${name}. ${descriptions.get(`${matrix} ${externalId}`) ?? ''}`, i, NONE)
  }
  for (const { id, matrix, technique, text } of procedures) {
    const position = positions.get(`${matrix} ${technique}`)
    if (position !== undefined) add(text, position, id)
  }
  return {
    techniques,
    rank: await rankingInTurns(texts, Uint32Array.from(owners)),
    procedureOf: (text) => (ids[text] === NONE ? null : (ids[text] ?? null)),
    hasTexts: procedures.length > 0 && described.length > 0,
  }
}

const NONE = -1

function techniquesOf(nodes: Nodes): Technique[] {
  const live = nodes.all.filter((node) => isTechnique(node) && isLive(node))
  const places = Map.groupBy(live, ({ matrix, external_id }) => `${matrix} ${external_id}`)
  return [...places.values()].flatMap((all) => {
    const [first] = all
    return first ? [{ matrix: first.matrix, externalId: first.external_id, name: first.name, places: all }] : []
  })
}

/** Lets other work of the process run between the portions. */
async function rankingInTurns(texts: readonly string[], techniques: Uint32Array): Promise<Ranking> {
  const steps = rankingOf(texts, techniques)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
