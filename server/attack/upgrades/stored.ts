import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { DefenseType, FrameworkNode, Matrix } from '../frameworks/framework.ts'
import type { StoredNode } from './complete.ts'

type Db = Context['db']

export interface StoredDefense {
  readonly stix_id: string
  readonly type: DefenseType
  readonly external_id: string
  readonly name: string
}

/** What is stored of a matrix, as far as another version is compared with it. */
export interface StoredFramework {
  readonly version: string
  readonly loaded_at: string
  readonly nodes: readonly StoredNode[]
  readonly defenses: readonly StoredDefense[]
  /** The relationships of the framework, each as `type defense technique` with the STIX id of the defense. */
  readonly links: readonly string[]
}

/** Reads what is stored of a matrix. An unknown matrix has no version yet. */
export async function readStored(db: Db, matrix: Matrix): Promise<StoredFramework> {
  const { rows: frameworks } = await sql<{ version: string; loaded_at: string }>`
    select version, loaded_at from frameworks where matrix = ${matrix}`.execute(db)
  const { rows: defenses } = await sql<StoredDefense>`
    select stix_id, type, coalesce(external_id, '') as external_id, name from attack_defenses
    where is_system and ${matrix} = any(domains)
    order by type, external_id, stix_id`.execute(db)
  const { rows: links } = await sql<{ link: string }>`
    select concat_ws(' ', r.type, d.stix_id, r.technique) as link
    from defense_relationships as r
    join attack_defenses as d on d.id = r.defense
    join attack_nodes as n on n.id = r.technique
    where r.is_system and n.matrix = ${matrix}`.execute(db)
  const [framework] = frameworks
  return {
    version: framework?.version ?? '',
    loaded_at: framework?.loaded_at ?? new Date(0).toISOString(),
    nodes: await readStoredNodes(db, matrix),
    defenses,
    links: links.map(({ link }) => link),
  }
}

/** All nodes of a matrix, parents before their children. */
export async function readStoredNodes(db: Db, matrix: Matrix): Promise<readonly StoredNode[]> {
  const { rows } = await sql<StoredNode>`
    select id, type, parent, name, description, position, platforms, stix_id, external_id, short_names, external_references, state, successors
    from attack_nodes
    where matrix = ${matrix}
    order by array_position('{matrix,tactic,technique,subtechnique}'::text[], type::text), position, id`.execute(db)
  return rows
}

/** The names of the tactics of a matrix, in the version that is stored and earlier ones, with the ids of the tactics. */
export async function formerNames(db: Db, matrix: Matrix): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; id: FrameworkNode['id'] }>`
    select n.name, t.id
    from attack_nodes as t cross join unnest(t.short_names) as n(name)
    where t.matrix = ${matrix} and t.type = 'tactic'
    order by t.state = 'live', t.id`.execute(db)
  return new Map(rows.map(({ name, id }) => [name, id]))
}
