import { sql } from 'kysely'
import { bool, ref, refs, searched, strings, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { nodeName, nodePath, parentName } from './input.ts'
import { operations } from './operations.ts'

export const taxonomies = defineResource({
  collection: 'taxonomies',
  title: 'Taxonomy',
  doc: 'A node in a tree of terms that entities are classified by.',
  key: ['parent', 'name'],
  makesMany: true,
  fields: {
    // Not required: a path says as much.
    name: text().accepts(nodeName).default(''),
    description: text().default(''),
    parent: ref('taxonomies').accepts(parentName).nullable().describe('An id, a URL or a path; null for a root.'),
    children: refs('taxonomies', 'taxonomy_children').readOnly(),
    path: strings()
      .accepts(nodePath)
      .describe(
        'The names from the root down. POST and PUT take it in place of name and parent, also as a text such as `a/b`; nodes that are missing on the way are made.',
      ),
    is_system: bool().readOnly().describe('Cannot be changed or deleted.'),
    ...stamps,
  },
  places: {
    path: searched(
      'a path such as a/b',
      (value) => (value === '' ? undefined : value),
      (_, values) => sql`array_to_string(t.path, '/') = any(${values}::text[])`,
    ),
  },
  relations: ['children'],
  operations,
  example: { name: 'Finance' },
})
