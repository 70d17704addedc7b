import { sql } from 'kysely'
import { bool, ref, refs, searched, strings, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import type { Route } from '../../engine/route.ts'
import { stamps } from '../../engine/stamps.ts'
import { nodeName, nodePath, parentName } from './input.ts'
import { taxonomyOperations } from './taxonomy-operations.ts'

/** A path creates all of its missing nodes. */
const creatingSeveral = (route: Route): Route =>
  'verb' in route.doc && route.doc.verb === 'create' ? { ...route, doc: { ...route.doc, createsSeveral: true } } : route

export const taxonomies = defineResource({
  collection: 'taxonomies',
  title: 'Taxonomy',
  doc: 'A node in a tree of terms that entities are classified by.',
  key: ['parent', 'name'],
  fields: {
    // Not required, because a path contains it.
    name: text().accepts(nodeName).default(''),
    description: text().default(''),
    parent: ref('taxonomies').accepts(parentName).nullable().describe('An id, a URL or a path; null for a root.'),
    children: refs('taxonomies', 'taxonomy_children').readOnly().linkable(),
    path: strings()
      .accepts(nodePath)
      .describe(
        'The names from the root down. POST and PUT accept it instead of name and parent, also as text such as `a/b`, and create missing ancestors.',
      ),
    is_system: bool().readOnly().describe('Cannot be changed or deleted.'),
    ...stamps,
  },
  search: {
    filters: {
      path: searched(
        'a path such as a/b',
        (value) => (value === '' ? undefined : value),
        (_, values) => sql`array_to_string(t.path, '/') = any(${values}::text[])`,
      ),
    },
  },
  operations: taxonomyOperations,
  routes: (standard) => standard.map(creatingSeveral),
  example: { name: 'Finance' },
})
