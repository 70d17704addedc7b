import { Alert, Skeleton, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { CallError } from '../../api/call.ts'
import type { Entity, EntityAttachment } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ContributorsTab } from '../contributors/contributors-tab.tsx'
import { AttachmentsTab } from './attachments-tab.tsx'
import { DescriptionTab } from './description-tab.tsx'
import { EntityHead } from './entity-head.tsx'
import { entityQuery, isUnified } from './entity-queries.ts'
import { HistoryTab } from './history-tab.tsx'
import { JsonTab } from './json-tab.tsx'
import { NeighbourhoodTab } from './neighbourhood-tab.tsx'
import { ObservablesTab } from './observables-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { RelationshipsTab } from './relationships-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

/** The props of each tab of an entity page. */
export interface TabProps {
  readonly entity: Entity
  /** Buttons of an attachment, of capabilities that build on attachments. */
  readonly attachmentActions?: AttachmentActions | undefined
}

export type AttachmentActions = (attachment: EntityAttachment, entity: Entity) => ReactNode

/** A tab of an entity page. */
export interface EntityTab {
  readonly name: string
  readonly label: string
  readonly content: ComponentType<TabProps>
  readonly permission?: string
  readonly count?: (entity: Entity) => number
  /** Whether the entity has this tab; without it, all entities have it. */
  readonly isShown?: (entity: Entity) => boolean
  /** Whether it is opened from elsewhere, such as a menu, and is among the tabs only while it is open. */
  readonly isOnDemand?: boolean
}

const TABS: readonly EntityTab[] = [
  { name: 'overview', label: 'Overview', content: OverviewTab },
  {
    name: 'contributors',
    label: 'Contributors',
    content: ContributorsTab,
    isShown: (entity) => isUnified(entity) || typeof entity.meta.is_contributor_to === 'string',
  },
  { name: 'description', label: 'Description', content: DescriptionTab },
  {
    name: 'observables',
    label: 'Observables',
    content: ObservablesTab,
    permission: 'read extracts',
    count: ({ observables }) => observables.length,
  },
  { name: 'relationships', label: 'Relationships', content: RelationshipsTab },
  { name: 'neighbourhood', label: 'Neighbourhood', content: NeighbourhoodTab },
  {
    name: 'attachments',
    label: 'Attachments',
    content: AttachmentsTab,
    count: ({ attachments }) => attachments.length,
  },
  { name: 'versions', label: 'Versions', content: VersionsTab },
  { name: 'history', label: 'History', content: HistoryTab, permission: 'read history-events' },
  { name: 'json', label: 'JSON', content: JsonTab },
]

interface EntityPageProps {
  /** Further tabs, of capabilities that build on entities. */
  readonly tabs?: readonly EntityTab[]
  /** Buttons next to those of the entity, of capabilities that build on entities. */
  readonly actions?: (entity: Entity) => ReactNode
  readonly attachmentActions?: AttachmentActions
}

/** The tab after which those of other capabilities are shown. */
const MORE_AFTER = 'observables'

const NO_TABS: readonly EntityTab[] = []

/** The page of an entity. */
export function EntityPage({ tabs = NO_TABS, actions, attachmentActions }: EntityPageProps) {
  const { id = '' } = useParams({ strict: false })
  const { data: entity, error } = useQuery(entityQuery(id))
  if (error instanceof CallError && error.status === 404)
    return (
      <EmptyState title="Entity not found" action={<Link to="/">Search entities</Link>}>
        It may have been deleted, or it belongs to a source that you do not have access to.
      </EmptyState>
    )
  if (error && !entity) return <ErrorFaults error={error} />
  if (!entity)
    return (
      <Stack role="status" aria-label="Loading" aria-busy>
        <Skeleton height={36} width="50%" />
        <Skeleton height={24} width="30%" />
        <Skeleton height={320} />
      </Stack>
    )
  return (
    <>
      <EntityHead entity={entity} actions={actions?.(entity)} />
      {entity.meta.is_unresolved_idref === true && (
        <Alert mb="md" color="yellow">
          This is a placeholder: other objects refer to this entity, but it has not been received yet. It is filled in
          when the entity arrives.
        </Alert>
      )}
      <EntityTabs entity={entity} more={tabs} attachmentActions={attachmentActions} />
    </>
  )
}

function EntityTabs({ entity, more, attachmentActions }: TabProps & { readonly more: readonly EntityTab[] }) {
  const may = useMay()
  const navigate = useNavigate()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const tabs = TABS.flatMap((tab) => (tab.name === MORE_AFTER ? [tab, ...more] : [tab])).filter(
    ({ name, permission, isShown, isOnDemand }) =>
      (!permission || may(permission)) && (!isShown || isShown(entity)) && (!isOnDemand || name === search.tab),
  )
  const open = tabs.find(({ name }) => name === search.tab) ?? tabs[0]
  if (!open) return null
  const go = (name: string | null) =>
    void navigate({ to: '/entities/$id', params: { id: entity.id }, search: name === 'overview' ? {} : { tab: name } })
  return (
    <Tabs value={open.name} onChange={go} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map(({ name, label, count }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
            {count && count(entity) > 0 ? ` (${count(entity)})` : ''}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.name}>
        <open.content entity={entity} attachmentActions={attachmentActions} />
      </Tabs.Panel>
    </Tabs>
  )
}
