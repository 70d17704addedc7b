import { sql } from 'kysely'
import { z } from 'zod'
import { outputSchema } from '../../engine/body.ts'
import type { Context, Item } from '../../engine/context.ts'
import { ApiError, badRequest, retry } from '../../engine/errors.ts'
import { present } from '../../engine/present.ts'
import { toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { readNodes } from '../classification/nodes.ts'
import { attackAnalyses } from './analyses.ts'
import { formatOf } from './layers/current-layer.ts'
import { keptLayer, MAX_COMMENT_LENGTH, type SentLayer, sentLayer } from './layers/layer.ts'
import { type PlacedLayer, placeLayer } from './layers/place-layer.ts'
import { MAX_LAYERS, readLayers } from './layers/read-layers.ts'

const MAX_BYTES = 16 * 1024 * 1024

const named = z.object({ techniqueID: z.string(), tactic: z.string().nullable() })
const placed = named.extend({ nodes: z.array(z.string()) })

const report = z.object({
  attack_analysis: z.url(),
  format: z.string().describe('Of the layer as it was sent.'),
  techniques: z.int(),
  annotations: z.int().describe('The number of annotations made of comments.'),
  mapped: z.array(placed).describe('Techniques that were revoked, and the nodes that took their place.'),
  kept: z.array(placed).describe('Techniques that are deprecated and have no successor.'),
  unknown: z
    .array(named)
    .describe('Techniques that this version does not have there. The layer keeps them with their comments.'),
  merged: z
    .array(z.object({ node: z.string(), techniques: z.array(named) }))
    .describe('Nodes that several techniques of the layer stand for now.'),
})

const imported = z.object({
  analyses: z.array(outputSchema(attackAnalyses)),
  reports: z.array(report).describe('In the order of the layers.'),
})

const example = {
  name: 'Red team, spring',
  versions: { layer: '4.5', attack: '18', navigator: '5.1.0' },
  domain: 'enterprise-attack',
  techniques: [{ techniqueID: 'T1086', tactic: 'execution', score: 3, comment: 'Worked on two servers.' }],
}

/** Makes an analysis of each layer, with annotations of the comments. */
export const importLayer: Route<readonly SentLayer[], z.output<typeof imported>> = {
  method: 'POST',
  path: '/attack_analyses/import-layer',
  permission: 'modify attack',
  doc: {
    operationId: 'import_attack_layer',
    summary: 'Create analyses from layers of ATT&CK Navigator',
    tag: 'attack_analyses',
    body: z.object({ data: z.union([sentLayer, z.array(sentLayer).min(1).max(MAX_LAYERS)]) }),
    example: { data: example },
    success: { 201: z.object({ data: imported }) },
    refusals: [400, 413],
  },
  // A body without a length arrives in chunks, until it is too large.
  bodyLimit: MAX_BYTES,
  admit: ({ headers }) => {
    if (Number(headers['content-length']) > MAX_BYTES)
      throw new ApiError(413, `Layers may have at most ${MAX_BYTES / 1024 / 1024} MiB. Import them in several parts.`)
  },
  parse: ({ body }) => readLayers(body),
  run: storeLayers,
  answer: (data) => ({ status: 201, body: { data } }),
}

async function storeLayers(ctx: Context, sent: readonly SentLayer[]): Promise<z.output<typeof imported>> {
  const nodes = await readNodes(ctx)
  const all = sent.map((layer) => placeLayer(nodes, layer))
  refuseTooLong(all)
  const names = await freeNames(ctx, sent)
  const analyses = resourceOf(ctx, 'attack_analyses')
  const items = all.map(({ layer }, i) => ({
    name: names[i],
    description: layer.description ?? '',
    attack_matrix: layer.domain,
    ui_metadata: { layer },
  }))
  const made = await standard.upsert(ctx, analyses, items)
  // Another request took one of the names, whose analysis must not be replaced.
  if (made.created < items.length) throw retry('The name of an analysis was taken.')
  const annotations = all.flatMap(({ notes }, i) =>
    [...notes].map(([attack_node, content]): Item => ({ attack_analysis: made.rows[i]?.id, attack_node, content })),
  )
  if (annotations.length > 0) await standard.upsert(ctx, resourceOf(ctx, 'attack_annotations'), annotations)
  return {
    analyses: made.rows.map((row) => present(ctx, analyses, row)) as z.output<typeof imported>['analyses'],
    reports: all.map(({ notes, report }, i) => ({
      attack_analysis: toUrl(ctx.baseUrl, 'attack_analyses', made.rows[i]?.id ?? ''),
      format: sent[i] ? formatOf(sent[i]) : '',
      techniques: sent[i]?.techniques?.length ?? 0,
      annotations: notes.size,
      ...report,
    })) as z.output<typeof imported>['reports'],
  }
}

/** Merged techniques may have more metadata and longer comments than a layer can hold. */
function refuseTooLong(all: readonly PlacedLayer[]): void {
  const faults = all.flatMap(({ layer, notes }) => [
    ...(keptLayer.safeParse(layer).error?.issues ?? []).map(
      ({ path, message }) => `'${layer.name}': ${path.join('.')} of techniques that are merged: ${message}`,
    ),
    ...[...notes]
      .filter(([, content]) => content.length > MAX_COMMENT_LENGTH)
      .map(
        ([node]) =>
          `'${layer.name}': the comments of ${node} have more than ${MAX_COMMENT_LENGTH} characters together.`,
      ),
  ])
  if (faults.length > 0) throw badRequest(faults)
}

/** Leaves room for a number. */
const MAX_NAME_LENGTH = 490

/** The names of layers, each with a number if an analysis has that name already. */
async function freeNames(ctx: Context, layers: readonly SentLayer[]): Promise<string[]> {
  const bases = layers.map(({ name }) => [...name].slice(0, MAX_NAME_LENGTH).join(''))
  const { rows } = await sql<{ name: string }>`
    select t.name from attack_analyses as t
    where exists (select from unnest(${bases}::text[]) as b(base) where starts_with(t.name, b.base))`.execute(ctx.db)
  const taken = new Set(rows.map(({ name }) => name))
  return bases.map((base) => {
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base} (${number})`
    taken.add(name)
    return name
  })
}
