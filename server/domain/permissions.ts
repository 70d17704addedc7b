const READ_AND_MODIFY = [
  'attack',
  'blob-uploads',
  'collaborators',
  'configurations',
  'detonations',
  'detonators',
  'discovery-rules',
  'draft-entities',
  'enrichers',
  'enrichment-rules',
  'enrichments',
  'entities',
  'extracts',
  'files',
  'graphs',
  'groups',
  'incoming-feeds',
  'intel-sets',
  'knowledge-packs',
  'outgoing-feeds',
  'playbooks',
  'retention-policies',
  'roles',
  'rules',
  'tasks',
  'taxii-services',
  'taxonomies',
  'ticket-comments',
  'tickets',
  'user-groups',
  'user-roles',
  'users',
  'webhooks',
  'workspace-comments',
  'workspaces',
]

const READ_ONLY = [
  'audit-trail',
  'content-blocks',
  'content-types',
  'destinations',
  'history-events',
  'permissions',
  'sources',
]

const reading = (objects: readonly string[]) => objects.map((object) => `read ${object}`)
const modifying = (objects: readonly string[]) => objects.map((object) => `modify ${object}`)
const without = (all: readonly string[], ...left: string[]) => all.filter((object) => !left.includes(object))

/** All permissions. Clients fetch them in one page of 100, so there must never be more. */
export const PERMISSIONS: readonly string[] = [
  ...reading([...READ_AND_MODIFY, ...READ_ONLY].sort()),
  ...modifying(READ_AND_MODIFY),
  'install knowledge-packs',
  'lock/unlock users',
]

/** The role that always holds every permission. */
export const SYSTEM_ADMIN = 'System Admin'

const ANALYSED = [
  'attack',
  'blob-uploads',
  'collaborators',
  'detonations',
  'draft-entities',
  'enrichments',
  'entities',
  'extracts',
  'files',
  'graphs',
  'intel-sets',
  'ticket-comments',
  'tickets',
  'workspace-comments',
  'workspaces',
]

const AUTOMATED = [
  'detonators',
  'discovery-rules',
  'enrichers',
  'enrichment-rules',
  'incoming-feeds',
  'knowledge-packs',
  'outgoing-feeds',
  'playbooks',
  'rules',
  'tasks',
  'taxonomies',
  'user-groups',
  'webhooks',
]

/** What only administrators need to read. The configuration is not among it: language models need `read configurations`. */
const ADMINISTERED = ['audit-trail', 'retention-policies', 'roles', 'taxii-services', 'user-roles']

/** The roles of every installation, with their initial permissions. */
export const BUILT_IN_ROLES: readonly { name: string; description: string; permissions: readonly string[] }[] = [
  {
    name: 'Threat Analyst',
    description: 'Reads and writes intelligence.',
    permissions: [...reading(without([...READ_AND_MODIFY, ...READ_ONLY], ...ADMINISTERED)), ...modifying(ANALYSED)],
  },
  {
    name: 'Team Lead',
    description: 'Has the permissions of a Threat Analyst, runs automation and manages group membership.',
    permissions: [
      ...reading([...READ_AND_MODIFY, ...READ_ONLY]),
      ...modifying([...ANALYSED, ...AUTOMATED]),
      'install knowledge-packs',
    ],
  },
  { name: SYSTEM_ADMIN, description: 'Has all permissions.', permissions: PERMISSIONS },
]
