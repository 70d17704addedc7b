import { Button, Skeleton, Tabs } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Page } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'

const SECTIONS = [
  { path: '/enrichers', label: 'Enrichers' },
  { path: '/enrichers/tables', label: 'Tables' },
  { path: '/enrichers/definitions', label: 'Own definitions' },
] as const

interface EnricherSectionProps<T> {
  readonly path: (typeof SECTIONS)[number]['path']
  /** What the section lists, in the singular. */
  readonly one: string
  readonly list: UseQueryResult<Page<T>>
  /** Opens the form for a new object; false without the permission. */
  readonly onCreate: false | (() => void)
  /** What the objects are for, shown if there are none yet. */
  readonly purpose: string
  /** The table of the objects; not shown if there are none. */
  readonly table: (objects: readonly T[]) => ReactNode
  /** Forms. */
  readonly children: ReactNode
}

/** The frame of the lists of enrichers, tables and definitions. */
export function EnricherSection<T>({ path, one, list, onCreate, purpose, table, children }: EnricherSectionProps<T>) {
  const canRead = useMay()('read enrichers')
  const navigate = useNavigate()
  if (!canRead)
    return (
      <>
        <PageHead title="Enrichers" />
        <NoPermission permission="read enrichers" />
      </>
    )
  const create = onCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={onCreate}>
      Create {one}
    </Button>
  )
  const objects = list.data?.data
  return (
    <>
      <PageHead
        title="Enrichers"
        description="Look up observables in online services, tables and built-in functions."
        actions={create}
      />
      <Tabs value={path} onChange={(to) => to && void navigate({ to })} mb="md">
        <Tabs.List>
          {SECTIONS.map((section) => (
            <Tabs.Tab key={section.path} value={section.path}>
              {section.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={path} pt="md">
          <LoadFault query={list} />
          {list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
          {objects?.length === 0 && (
            <EmptyState title={`No ${one}s yet`} action={create}>
              {purpose}
            </EmptyState>
          )}
          {objects && objects.length > 0 && table(objects)}
        </Tabs.Panel>
      </Tabs>
      {children}
    </>
  )
}
