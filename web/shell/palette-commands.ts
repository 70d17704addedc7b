import type { IconName } from '../ui/icon.tsx'
import { isOpenTo, PAGES } from './pages.ts'

/** An entry of the command palette: it opens a page or runs an action. */
export interface Command {
  readonly label: string
  readonly icon: IconName
  readonly to?: string
  /** Whether to open the form for a new object. */
  readonly isNew?: boolean
  readonly does?: 'help' | 'remove-demo' | 'sign-out'
  readonly keys?: string
  readonly permission?: string
  readonly anyOf?: readonly string[]
}

const NEW: readonly Command[] = [
  { label: 'Create entity', icon: 'plus', to: '/entities/new', permission: 'modify entities' },
  { label: 'Upload file', icon: 'upload', to: '/files', permission: 'modify files' },
  { label: 'Create dataset', icon: 'plus', to: '/datasets', isNew: true, permission: 'modify intel-sets' },
  { label: 'Create workspace', icon: 'plus', to: '/workspaces', isNew: true, permission: 'modify workspaces' },
  { label: 'Create ticket', icon: 'plus', to: '/tickets', isNew: true, permission: 'modify tickets' },
  { label: 'Create dashboard', icon: 'plus', to: '/dashboards', isNew: true, permission: 'modify configurations' },
  {
    label: 'Create incoming feed',
    icon: 'plus',
    to: '/incoming-feeds',
    isNew: true,
    permission: 'modify incoming-feeds',
  },
  {
    label: 'Create outgoing feed',
    icon: 'plus',
    to: '/outgoing-feeds',
    isNew: true,
    permission: 'modify outgoing-feeds',
  },
  { label: 'Create entity rule', icon: 'plus', to: '/entity-rules/new', permission: 'modify rules' },
  { label: 'Create enricher', icon: 'plus', to: '/enrichers', isNew: true, permission: 'modify enrichers' },
  { label: 'Detonate sample', icon: 'detonations', to: '/detonations', isNew: true, permission: 'modify detonations' },
  { label: 'Create detonator', icon: 'plus', to: '/detonators', isNew: true, permission: 'modify detonators' },
  { label: 'Create enrichment rule', icon: 'plus', to: '/enrichment-rules/new', permission: 'modify enrichment-rules' },
  {
    label: 'Create consolidation policy',
    icon: 'plus',
    to: '/consolidation-rules/new',
    permission: 'modify rules',
  },
  { label: 'Create discovery rule', icon: 'plus', to: '/discovery-rules/new', permission: 'modify discovery-rules' },
  { label: 'Create playbook', icon: 'plus', to: '/playbooks/new', permission: 'modify playbooks' },
]

/** Pages that are not in the navigation. */
const FURTHER: readonly Command[] = [
  { label: 'Attack analyses', icon: 'analyses', to: '/attack/analyses', permission: 'read attack' },
  { label: 'Attack gaps', icon: 'gap', to: '/attack/gaps', permission: 'read attack' },
  { label: 'Attack defenses', icon: 'defenses', to: '/attack/defenses', permission: 'read attack' },
  { label: 'Log sources', icon: 'defenses', to: '/attack/log-sources', permission: 'read attack' },
  { label: 'Attack frameworks', icon: 'frameworks', to: '/attack/frameworks', permission: 'read attack' },
  { label: 'Attack reviews', icon: 'suggestions', to: '/attack/reviews', permission: 'read attack' },
  { label: 'Generate content', icon: 'spark', to: '/content-generation', permission: 'read configurations' },
  { label: 'Language models', icon: 'spark', to: '/admin/language-models', permission: 'read configurations' },
  { label: 'Ready-made playbooks', icon: 'playbooks', to: '/playbooks/templates', permission: 'read playbooks' },
  { label: 'Consolidation history', icon: 'history', to: '/consolidation-events', permission: 'read entities' },
]

const YOU: readonly Command[] = [
  { label: 'Profile', icon: 'user', to: '/profile' },
  { label: 'Show keyboard shortcuts', icon: 'keyboard', does: 'help', keys: '?' },
  { label: 'Remove demo data', icon: 'trash', does: 'remove-demo', permission: 'modify entities' },
  { label: 'Sign out', icon: 'close', does: 'sign-out' },
]

const pages: readonly Command[] = PAGES.flatMap((group) => group.pages).map((page) => ({ icon: 'search', ...page }))

const GROUPS = [
  { title: 'Pages', commands: [...pages, ...FURTHER] },
  { title: 'Create', commands: NEW },
  { title: 'Account', commands: YOU },
]

/** The commands that match all typed words and that the user has permission for. */
export function commandsFor(typed: string, may: (permission: string) => boolean) {
  const words = typed.toLowerCase().split(/\s+/)
  const fits = (command: Command) =>
    isOpenTo(command, may) && words.every((word) => command.label.toLowerCase().includes(word))
  return GROUPS.map(({ title, commands }) => ({ title, commands: commands.filter(fits) })).filter(
    ({ commands }) => commands.length > 0,
  )
}
