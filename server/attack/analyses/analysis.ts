import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import type { Parameter } from '../../http/openapi/parameters.ts'
import { type Nodes, readNodes } from '../classification/nodes.ts'
import type { Matrix } from '../frameworks/framework.ts'
import type { HeatPlan } from '../heat/heat-parameters.ts'
import type { KeptLayer } from './layers/layer.ts'
import type { LayerContext } from './layers/write-layer.ts'

/** An analysis as the caller sees it. */
export interface Analysis {
  readonly id: Id
  readonly name: string
  readonly description: string
  readonly attack_matrix: Matrix
  /** Those that the caller sees. */
  readonly scope_datasets: readonly Id[]
  readonly scope_entities: readonly Id[]
  readonly ui_metadata: { readonly layer?: KeptLayer }
}

/** Reads an analysis. Throws a 404 if it does not exist. */
export const readAnalysis = async (ctx: Context, id: Id): Promise<Analysis> =>
  (await standard.get(ctx, resourceOf(ctx, 'attack_analyses'), id)) as unknown as Analysis

/**
 * A plan within the scope of an analysis. What the caller does not see of the scope does not exist for them: an analysis of nothing else is
 * to them one of everything, as when they read it.
 */
export function within({ attack_matrix, scope_datasets, scope_entities }: Analysis, plan: HeatPlan): HeatPlan {
  const isBounded = scope_datasets.length + scope_entities.length > 0
  const own = isBounded ? [{ datasets: scope_datasets, entities: scope_entities }] : []
  return { ...plan, matrix: attack_matrix, scopes: [...own, ...plan.scopes] }
}

/** The parameters that count within the scope of an analysis, whose matrix is given. */
export const withoutMatrix = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.filter(({ name }) => name !== 'matrix')

export interface Note {
  readonly id: number
  readonly attack_node: string
  readonly content: string
}

/** The annotations of an analysis, in the order of their nodes. */
export async function readNotes({ db }: Context, analysis: Id): Promise<readonly Note[]> {
  const { rows } = await sql<Note>`
    select id, attack_node, content from attack_annotations where attack_analysis = ${analysis} order by attack_node`.execute(
    db,
  )
  return rows
}

/** What is needed to write a layer of a matrix; without an analysis, it has no annotations. */
export async function layerContext(ctx: Context, matrix: Matrix, analysis?: Id): Promise<LayerContext> {
  const [nodes, version, notes]: [Nodes, string, readonly Note[]] = await Promise.all([
    readNodes(ctx),
    versionOf(ctx, matrix),
    analysis === undefined ? [] : readNotes(ctx, analysis),
  ])
  return { nodes, version, notes: new Map(notes.map(({ attack_node, content }) => [attack_node, content])) }
}

async function versionOf({ db }: Context, matrix: Matrix): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version from frameworks where matrix = ${matrix}`.execute(db)
  return rows[0]?.version ?? ''
}
