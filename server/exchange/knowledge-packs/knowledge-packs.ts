import { bool, name, refs, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { packRoutes } from './routes.ts'

export const knowledgePacks = defineResource({
  collection: 'knowledge_packs',
  title: 'Knowledge pack',
  doc: 'Datasets, workspaces and incoming feeds that can be exported to a file and installed elsewhere.',
  key: ['name'],
  fields: {
    name: name(),
    version: text(1, 100).default('1.0'),
    description: text().default(''),
    datasets: refs('datasets', 'knowledge_pack_datasets').linkable(),
    workspaces: refs('workspaces', 'knowledge_pack_workspaces').linkable(),
    incoming_feeds: refs('incoming_feeds', 'knowledge_pack_incoming_feeds')
      .linkable()
      .describe('Exported without their secrets.'),
    is_installed: bool().readOnly().describe('Whether it was installed from a file and can be uninstalled.'),
    ...stamps,
  },
  routes: (standard) => [...packRoutes, ...standard],
  example: { name: 'Ransomware watch', version: '1.2', workspaces: [1] },
})
