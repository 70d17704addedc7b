import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../server/config.ts'

/**
 * The files of the server that may name a field of entities besides its definition, each with the reason. Formats are left out:
 * they map the names of other standards, and the columns of our tables, to ours.
 */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  half_life: {
    'intelligence/entities/meta.ts': 'the definition',
    'intelligence/entities/entities.ts': 'the example of the documentation',
    'intelligence/entities/relevancy.ts': 'relevancy is calculated from it',
    'intelligence/entities/created-row.ts': 'relevancy of a new entity is calculated from it',
    'retention/subjects.ts': 'an entity is outdated after some half-lives',
    'exchange/importing/parse-entity.ts': 'a feed gives it to entities that do not say it',
    'feeds/incoming/incoming-feeds.ts': 'a field of feeds with the same name',
    'feeds/incoming/processing/feed.ts': 'a field of feeds with the same name',
    'feeds/incoming/trials/test-incoming-feed.ts': 'a field of feeds with the same name',
    'automation/consolidation/composing/compose-meta.ts': 'a configuration says which one a unified entity has',
    'attack/heat/heat-parameters.ts': 'a parameter of heat with the same name',
    'attack/heat/evidence-parameters.ts': 'a parameter of heat with the same name',
    'analytics/widgets/settings.ts': 'a parameter of heat with the same name',
    'analytics/widgets/data.ts': 'a parameter of heat with the same name',
    'demo/entity.ts': 'invented entities',
    'search/query/bool-cases.ts': 'examples of queries',
  },
  tlp_color: {
    'ai/inputs/input-entities.ts': 'what a language model may receive depends on it',
    'ai/nlp-to-search/searchable-fields.ts': 'a field that questions in words may ask for',
    'ai/operations/operation.ts': 'requests and answers have a colour of the same name',
    'intelligence/entities/meta.ts': 'the definition',
    'intelligence/entities/entities.ts': 'the example of the documentation',
    'intelligence/entities/state.ts': 'the older colours stand for those of TLP 2.0',
    'intelligence/entities/compose.ts': 'the visibility key has the colour',
    'intelligence/entities/defaults.ts': 'the installation has a default for it',
    'intelligence/entities/placeholders.ts': 'a placeholder has none',
    'intelligence/entities/search-fields.ts': 'queries find it in the visibility key',
    'intelligence/entity-rules/rule.ts': 'rules that read it act when it changes',
    'intelligence/entity-rules/enforce.ts': 'rules change it',
    'intelligence/entity-rules/preview.ts': 'a preview shows it before and after',
    'intelligence/entity-rules/preview-route.ts': 'a preview shows it before and after',
    'intelligence/by-query/payloads.ts': 'entities are recoloured by a query',
    'intelligence/by-query/by-query.ts': 'the example of recolouring',
    'intelligence/by-query/change-entities.ts': 'entities are recoloured by a query',
    'graph/nodes.ts': 'nodes of the graph show it',
    'graph/neighbours.ts': 'nodes of the graph show it',
    'analytics/aggregations/aggregate-entities.ts': 'the example of the documentation',
    'exchange/importing/parse-entity.ts': 'a feed or file gives it to entities that do not say it',
    'exchange/exporting/derivations.ts': 'a field of relationships with the same name',
    'exchange/importing/import-relationships.ts': 'a field of relationships with the same name',
    'analytics/search-fields/search-field-lists.ts': 'a field of relationships with the same name',
    'intelligence/relationships/write-relationships.ts': 'a field of relationships with the same name',
    'intelligence/relationships/relationships.ts': 'a field of relationships with the same name',
    'intelligence/relationships/search-fields.ts': 'a field of relationships with the same name',
    'exchange/files/files.ts': 'a field of files with the same name',
    'exchange/files/file-operations.ts': 'a field of files with the same name',
    'exchange/processing/process-file.ts': 'a field of files with the same name',
    'automation/enrichers/enrichers.ts': 'a field of enrichers with the same name',
    'automation/enrichers/lanes/work.ts': 'a field of enrichers with the same name',
    'automation/enrichers/lanes/store-result.ts': 'a field of enrichers with the same name',
    'automation/enrichers/lanes/store-entities.ts': 'entities that enrichers find have the colour of their observable',
    'automation/detonators/lane/plan-report.ts': 'results have the colour of their sample, or that of the detonator',
    'automation/detonators/lane/store-report.ts': 'a field of detonators with the same name',
    'automation/detonators/lane/work.ts': 'a field of detonators with the same name',
    'automation/enrichers/requests/candidates.ts': 'a field of enrichers with the same name',
    'automation/playbooks/acting/subject.ts': 'a field of files with the same name',
    'automation/playbooks/acting/make-related.ts': 'a new entity is not less restricted than what it is about',
    'automation/playbooks/steps/create-entity.ts': 'a parameter of a step',
    'automation/playbooks/steps/set.ts': 'a parameter of a step',
    'automation/playbooks/steps/webhook.ts': 'webhooks are told the colour',
    'automation/stored-colours.ts': 'a field of enrichers and detonators with the same name',
    'automation/detonators/detonators.ts': 'a field of detonators with the same name',
    'automation/detonators/detonations/ask.ts': 'a field of detonators with the same name',
    'automation/detonators/detonations/request.ts': 'samples are given one',
    'automation/detonators/detonations/samples.ts': 'a field of files with the same name',
    'automation/detonators/detonations/detonation-routes.ts': 'the example of the documentation',
    'automation/consolidation/composing/compose-meta.ts': 'a configuration says which one a unified entity has',
    'automation/consolidation/composing/compose-unified.ts': 'contributors above it contribute nothing',
    'automation/consolidation/composing/contributions.ts': 'contributors are shown with it',
    'automation/enrichers/requests/enqueue.ts': 'a field of enrichers with the same name',
    'demo/entity.ts': 'invented entities',
  },
}

const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('formats/'))

for (const [name, allowed] of Object.entries(ALLOWED)) {
  test(`${name} of an entity occurs only in its definition and where it has a special meaning`, () => {
    const pattern = new RegExp(`\\b${name}\\b`)
    const found = files.filter((file) => pattern.test(readFileSync(join(root, 'server', file), 'utf8')))
    assert.deepEqual(found.sort(), Object.keys(allowed).sort())
  })
}
