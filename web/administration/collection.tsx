import { Skeleton, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { TaskList } from '../background/task-list.tsx'
import type { CollectionModel } from '../generic/collections.ts'
import { ListPage } from '../generic/list-page.tsx'
import { useApi, useMayDo } from '../generic/use-api.ts'
import { RolesPage } from '../identity/roles/role-matrix.tsx'
import { UserList } from '../identity/users/user-list.tsx'
import { TaxonomiesPage } from '../intelligence/taxonomies/taxonomy-tree.tsx'
import { Configuration } from '../settings/configuration.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { AuditTrail } from './audit-trail.tsx'

/** Collections with their own list page. */
const SPECIAL: Readonly<Record<string, ComponentType<{ readonly model: CollectionModel }>>> = {
  'audit-trail': AuditTrail,
  roles: RolesPage,
  tasks: TaskList,
  taxonomies: TaxonomiesPage,
  users: UserList,
}

/** The list of a collection, or the configuration. */
export function CollectionPage() {
  const { collection = '' } = useParams({ strict: false })
  if (collection === 'configuration') return <Configuration />
  return <KnownCollection slug={collection} key={collection} />
}

function KnownCollection({ slug }: { readonly slug: string }) {
  const { collections, error, isPending } = useApi()
  const mayDo = useMayDo()
  if (error) return <ErrorFaults error={error} />
  if (isPending) return <WaitingPage />
  const model = collections.get(slug)
  if (!model) return <UnknownCollection slug={slug} />
  if (!mayDo(model.verbs.list)) return <NoPermission permission={model.verbs.list?.permission ?? ''} />
  const Special = SPECIAL[slug]
  return Special ? <Special model={model} /> : <ListPage model={model} />
}

/** A placeholder while a page is loading. */
export const WaitingPage = () => (
  <Stack gap="sm" aria-busy="true" role="status" aria-label="Loading">
    <Skeleton height={28} width={240} />
    <Skeleton height={18} maw={560} />
    <Skeleton height={320} />
  </Stack>
)

/** Shown if the API has no such collection. */
export const UnknownCollection = ({ slug }: { readonly slug: string }) => (
  <EmptyState title="Collection not found">The API has no collection named “{slug}”.</EmptyState>
)
