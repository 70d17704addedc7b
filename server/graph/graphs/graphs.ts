import { sql } from 'kysely'
import { json, name, ref, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { withExample } from '../../engine/route.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { graphContent } from './content.ts'
import { graphOperations } from './graph-operations.ts'

const example = {
  name: 'Infrastructure of a campaign',
  workspace: 1,
  content: {
    nodes: [{ kind: 'entity', id: '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11', x: 0, y: 0, is_pinned: true }],
    aggregates: [],
    filters: { hidden_types: ['domain'], hidden_keys: [], least_degree: 0, from: null, until: null },
  },
}

export const graphs = defineResource({
  collection: 'graphs',
  title: 'Graph',
  doc: 'A drawing of entities and observables, saved in a workspace. Readers get only the nodes that they can see.',
  key: ['name', 'workspace'],
  fields: {
    name: name(),
    description: text().default(''),
    workspace: ref('workspaces').required().describe('The graph is visible to everyone who can see the workspace.'),
    content: json(graphContent).default({}),
    ...stamps,
  },
  operations: graphOperations,
  // Nodes that do not exist are not returned: the example that can be created has none.
  routes: (standard) => standard.map((route) => withExample(route, example)),
  example: { ...example, content: { ...example.content, nodes: [] } },
  visible: (ctx, t) => sql`exists (
    select from workspaces as w
    where w.id = ${sql.ref(`${t}.workspace`)} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')})`,
})
