import type { IconName } from '../ui/icon.tsx'

/** A page in the navigation. */
export interface PageLink {
  readonly to: string
  readonly label: string
  /** The permission that the page requires. */
  readonly permission?: string
  /** Permissions of which the page requires any one. */
  readonly anyOf?: readonly string[]
  readonly icon?: IconName
  /** The shortcut that opens the page. */
  readonly keys?: string
}

/** All pages of the navigation, by group. */
export const PAGES: readonly { readonly title: string; readonly pages: readonly PageLink[] }[] = [
  {
    title: 'Intelligence',
    pages: [
      { to: '/', label: 'Search', icon: 'search', permission: 'read entities', keys: 'g s' },
      { to: '/graph', label: 'Graph', icon: 'graph', permission: 'read entities', keys: 'g g' },
      { to: '/attack', label: 'ATT&CK', icon: 'matrix', permission: 'read attack', keys: 'g k' },
      { to: '/datasets', label: 'Datasets', icon: 'datasets', permission: 'read intel-sets', keys: 'g d' },
      { to: '/dashboards', label: 'Dashboards', icon: 'dashboards', permission: 'read configurations', keys: 'g b' },
    ],
  },
  {
    title: 'Work',
    pages: [
      { to: '/workspaces', label: 'Workspaces', icon: 'workspaces', permission: 'read workspaces', keys: 'g w' },
      { to: '/tickets', label: 'Tickets', icon: 'tickets', permission: 'read tickets', keys: 'g t' },
      { to: '/files', label: 'Files', icon: 'files', permission: 'read files', keys: 'g f' },
    ],
  },
  {
    title: 'Automation',
    pages: [
      {
        to: '/automation',
        label: 'Automation',
        icon: 'automation',
        anyOf: ['rules', 'enrichers', 'detonators', 'enrichment-rules', 'discovery-rules', 'playbooks'].map(
          (each) => `read ${each}`,
        ),
        keys: 'g m',
      },
      { to: '/entity-rules', label: 'Entity rules', icon: 'rules', permission: 'read rules', keys: 'g u' },
      { to: '/enrichers', label: 'Enrichers', icon: 'enrichers', permission: 'read enrichers', keys: 'g e' },
      {
        to: '/enrichment-rules',
        label: 'Enrichment rules',
        icon: 'enrichment-rules',
        permission: 'read enrichment-rules',
        keys: 'g n',
      },
      { to: '/detonations', label: 'Detonations', icon: 'detonations', permission: 'read detonations', keys: 'g x' },
      { to: '/detonators', label: 'Detonators', icon: 'detonators', permission: 'read detonators', keys: 'g j' },
      {
        to: '/discovery-rules',
        label: 'Discovery rules',
        icon: 'discovery',
        permission: 'read discovery-rules',
        keys: 'g v',
      },
      { to: '/playbooks', label: 'Playbooks', icon: 'playbooks', permission: 'read playbooks', keys: 'g p' },
      {
        to: '/consolidation-rules',
        label: 'Consolidation',
        icon: 'unified',
        permission: 'read rules',
        keys: 'g c',
      },
      {
        to: '/consolidation-suggestions',
        label: 'Suggestions',
        icon: 'suggestions',
        permission: 'read entities',
        keys: 'g y',
      },
      { to: '/runs', label: 'Task runs', icon: 'runs', permission: 'read tasks', keys: 'g r' },
    ],
  },
  {
    title: 'Exchange',
    pages: [
      {
        to: '/incoming-feeds',
        label: 'Incoming feeds',
        icon: 'incoming',
        permission: 'read incoming-feeds',
        keys: 'g i',
      },
      {
        to: '/outgoing-feeds',
        label: 'Outgoing feeds',
        icon: 'outgoing',
        permission: 'read outgoing-feeds',
        keys: 'g o',
      },
    ],
  },
  {
    title: 'Administration',
    pages: [
      {
        to: '/admin',
        label: 'Administration',
        icon: 'admin',
        anyOf: ['users', 'roles', 'groups', 'configurations', 'taxonomies', 'audit-trail', 'webhooks'].map(
          (each) => `read ${each}`,
        ),
        keys: 'g a',
      },
    ],
  },
]

/** The page of the navigation that a path belongs to: the closest one above it. */
export function pageAt(path: string): string | undefined {
  const above = PAGES.flatMap(({ pages }) => pages)
    .map(({ to }) => to)
    .filter((to) => path === to || (to !== '/' && path.startsWith(`${to}/`)))
  return above.toSorted((a, b) => b.length - a.length)[0]
}

/** Whether a user has the permissions that a page needs. */
export const isOpenTo = (
  { permission, anyOf }: Pick<PageLink, 'permission' | 'anyOf'>,
  may: (permission: string) => boolean,
): boolean => (!permission || may(permission)) && (!anyOf || anyOf.some(may))
