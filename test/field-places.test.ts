import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../server/config.ts'

/**
 * Where the server may name a field of entities beside its definition, each with the reason. Formats are left out: they map
 * the names of other standards, and the columns of our tables, to ours.
 */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  half_life: {
    'resources/entities/meta.ts': 'the definition',
    'resources/entities/entities.ts': 'the example of the documentation',
    'resources/entities/relevancy.ts': 'relevancy is calculated from it',
    'resources/entities/made-row.ts': 'relevancy of a new entity is calculated from it',
    'resources/retention-policies/subjects.ts': 'an entity is outdated after some half-lives',
    'tasks/importing/drafts.ts': 'a feed gives it to entities that do not say it',
    'resources/incoming-feeds/incoming-feeds.ts': 'a field of feeds with the same name',
    'tasks/incoming/feed.ts': 'a field of feeds with the same name',
    'tasks/incoming/test-incoming-feed.ts': 'a field of feeds with the same name',
    'tasks/demo/entity.ts': 'invented entities',
    'search/query/bool-cases.ts': 'examples of queries',
  },
  tlp_color: {
    'resources/entities/meta.ts': 'the definition',
    'resources/entities/entities.ts': 'the example of the documentation',
    'resources/entities/state.ts': 'the older colours stand for those of TLP 2.0',
    'resources/entities/compose.ts': 'the visibility key has the colour',
    'resources/entities/defaults.ts': 'the installation has a default for it',
    'resources/entities/placeholders.ts': 'a placeholder has none',
    'resources/searching/entity-fields.ts': 'queries find it in the visibility key',
    'resources/by-query/payloads.ts': 'entities are recoloured by a query',
    'resources/by-query/by-query.ts': 'the example of recolouring',
    'resources/by-query/change-entities.ts': 'entities are recoloured by a query',
    'actions/graph/nodes.ts': 'nodes of the graph show it',
    'actions/graph/neighbours.ts': 'nodes of the graph show it',
    'actions/aggregations/aggregate-entities.ts': 'the example of the documentation',
    'tasks/importing/drafts.ts': 'a feed or file gives it to entities that do not say it',
    'tasks/importing/import-relationships.ts': 'a field of relationships with the same name',
    'actions/search-field-lists.ts': 'a field of relationships with the same name',
    'resources/relationships/operations.ts': 'a field of relationships with the same name',
    'resources/relationships/relationships.ts': 'a field of relationships with the same name',
    'resources/searching/relationship-fields.ts': 'a field of relationships with the same name',
    'resources/files/files.ts': 'a field of files with the same name',
    'resources/files/operations.ts': 'a field of files with the same name',
    'tasks/files/process-file.ts': 'a field of files with the same name',
    'tasks/demo/entity.ts': 'invented entities',
  },
}

const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('formats/'))

for (const [name, allowed] of Object.entries(ALLOWED)) {
  test(`${name} of an entity is named in its definition, and where it means something special`, () => {
    const pattern = new RegExp(`\\b${name}\\b`)
    const found = files.filter((file) => pattern.test(readFileSync(join(root, 'server', file), 'utf8')))
    assert.deepEqual(found.sort(), Object.keys(allowed).sort())
  })
}
