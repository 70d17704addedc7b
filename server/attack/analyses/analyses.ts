import { sql } from 'kysely'
import { z } from 'zod'
import { among, json, name, oneOf, refs, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { toId } from '../../engine/reference.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { analysisOperations } from './analysis-operations.ts'
import { keptLayer } from './layers/layer.ts'

const MAX_ENTITIES = 1000
const MAX_DATASETS = 1

/** A matrix, also by the URL of its node. */
const matrix = z.preprocess(
  (value) => (typeof value === 'string' ? (toId('attacks', value) ?? value) : value),
  z.enum(MATRICES),
)

const metadata = z.looseObject({ layer: keptLayer.optional() }).check(refuseUnstorable)

export const attackAnalyses = defineResource({
  collection: 'attack_analyses',
  title: 'Attack analysis',
  doc: 'What happens in a matrix: among the entities of a scope, or among all. Its result shows only what you can see.',
  permission: 'attack',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    attack_matrix: oneOf(MATRICES).accepts(matrix).default('enterprise-attack'),
    scope_datasets: refs('datasets', 'attack_analysis_datasets').accepts(z.array(link('datasets')).max(MAX_DATASETS)),
    scope_entities: refs('entities', 'attack_analysis_entities')
      .accepts(z.array(link('entities')).max(MAX_ENTITIES))
      .describe('Without a dataset and entities, the scope is all entities.'),
    ui_metadata: json(metadata).default({}).describe('`layer` holds an imported layer of ATT&CK Navigator.'),
    ...stamps,
  },
  search: { filters: { attack_matrix: among(MATRICES, (_, values) => sql`t.attack_matrix = any(${values}::text[])`) } },
  example: { name: 'Ransomware this year', attack_matrix: 'enterprise-attack', ui_metadata: { colours: 'warm' } },
  operations: analysisOperations,
})
