import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Matrix, NodeState, NodeType } from '../frameworks/framework.ts'

/** A node of an attack framework, as far as classifying needs it. */
export interface Node {
  /** For example `TA0001:T1566.001`. */
  readonly id: string
  readonly matrix: Matrix
  readonly type: NodeType
  /** Null for the matrix. */
  readonly parent: string | null
  readonly name: string
  /** For example `T1566.001`: the same in all places. */
  readonly external_id: string
  readonly stix_id: string
  readonly state: NodeState
  /** The ids of the live nodes that took the place of a dead one. */
  readonly successors: readonly string[]
  /** The names of a tactic in other documents, in this version and earlier ones, for example `initial-access`. */
  readonly short_names: readonly string[]
}

/** All nodes of all frameworks, live and dead. */
export interface Nodes {
  /** All nodes, in the order of their ids. */
  readonly all: readonly Node[]
  /** The tactics of all matrices. */
  readonly tactics: readonly Node[]
  /** The node with an id. */
  get(id: string): Node | undefined
  /** The nodes whose id differs from this one at most by its case. */
  inAnyCase(id: string): readonly Node[]
  /** The places of a technique by its external id such as `T1566.001`, in the order of their ids, live and dead. */
  placesOf(externalId: string): readonly Node[]
  /** The places of an object by its STIX id. */
  withStixId(stixId: string): readonly Node[]
  /** The tactics of all matrices with an id or a short name, in any of its spellings: documents also write `Initial Access` and `initial_access`. */
  tacticsNamed(name: string): readonly Node[]
  /** The tactic that a technique or sub-technique is placed below. */
  tacticOf(node: Node): Node | undefined
}

type Source = Pick<Context, 'db' | 'vault'>

/** The nodes that a process has read, as of the stamp of their frameworks. */
interface Cached {
  readonly stamp: string
  readonly nodes: Promise<Nodes>
}

/** Transactions have a connection of their own, but all requests of a process share the vault. */
const cached = new WeakMap<Source['vault'], Cached>()

/**
 * The nodes of all frameworks. They are kept in memory; one small statement checks that no framework was stored since. Storing a framework
 * always writes its row, and so must everything else that changes nodes.
 */
export async function readNodes({ db, vault }: Source): Promise<Nodes> {
  const stamp = await stampOf(db)
  const known = cached.get(vault)
  // The request that loads them may fail for reasons of its own.
  if (known?.stamp === stamp) return known.nodes.catch(() => loadNodes(db))
  const nodes = loadNodes(db)
  const read: Cached = { stamp, nodes }
  cached.set(vault, read)
  nodes.catch(() => {
    if (cached.get(vault) === read) cached.delete(vault)
  })
  return nodes
}

/** Changes with every version of a row, also within the transaction that writes it. */
async function stampOf(db: Source['db']): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select coalesce(string_agg(concat_ws(' ', f.matrix, f.xmin, f.cmin, f.ctid), ',' order by f.matrix), '') as stamp
    from frameworks as f`.execute(db)
  return rows[0]?.stamp ?? ''
}

async function loadNodes(db: Source['db']): Promise<Nodes> {
  const { rows } = await sql<Node>`
    select id, matrix, type, parent, name, external_id, stix_id, state, successors, short_names
    from attack_nodes
    order by id`.execute(db)
  return nodesFrom(rows)
}

/** Indexes nodes for look-ups. */
export function nodesFrom(all: readonly Node[]): Nodes {
  const byId = new Map(all.map((node) => [node.id, node]))
  const byLowerCase = Map.groupBy(all, ({ id }) => id.toLowerCase())
  const byExternalId = Map.groupBy(all, ({ external_id }) => external_id)
  const byStixId = Map.groupBy(all, ({ stix_id }) => stix_id)
  const tactics = all.filter(({ type }) => type === 'tactic')
  const byName = new Map<string, Node[]>()
  for (const node of tactics)
    for (const name of [node.id.toLowerCase(), ...node.short_names])
      byName.set(name, [...(byName.get(name) ?? []), node])
  return {
    all,
    tactics,
    get: (id) => byId.get(id),
    inAnyCase: (id) => byLowerCase.get(id.toLowerCase()) ?? [],
    placesOf: (externalId) => (byExternalId.get(externalId) ?? []).filter(isTechnique),
    withStixId: (stixId) => byStixId.get(stixId) ?? [],
    tacticsNamed: (name) => byName.get(name.trim().toLowerCase().replaceAll(/[ _]/g, '-')) ?? [],
    tacticOf: ({ id }) => {
      const colon = id.indexOf(':')
      return colon < 0 ? undefined : byId.get(id.slice(0, colon))
    },
  }
}

/** Whether a node is a technique or sub-technique below a tactic. */
export const isTechnique = ({ type }: Node): boolean => type === 'technique' || type === 'subtechnique'

/** What documents call a tactic: of several names, that of the current version, which is like its title. */
export function currentShortName({ name, short_names }: Node): string | undefined {
  const current = name.toLowerCase().replaceAll(' ', '-')
  return short_names.includes(current) ? current : short_names[0]
}
