import {
  Button,
  Checkbox,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useCreateForm } from '../../ui/use-create-form.ts'
import { useUrlState } from '../../ui/use-url-state.ts'
import { counted } from '../analyses/analysis.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { MatrixFilter } from '../matrix-select.tsx'
import { DEFENSE_TYPES, type DefenseType, defensesQuery, matchingDefenses, type NamedDefense } from './defense.ts'
import { DefenseForm } from './defense-form.tsx'
import { DefenseTable } from './defense-table.tsx'
import { type DefenseStatus, STATUS_NAMES, useStatuses } from './status.ts'

/** Defenses by type, with how far each of them is built. */
export function Defenses() {
  const canRead = useMay()('read attack')
  const navigate = useNavigate()
  const url = useUrlState()
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create defense', 'modify attack')
  const type = DEFENSE_TYPES.find(({ value }) => value === url.get('type'))?.value ?? 'mitigation'
  return (
    <>
      <AttackTabs />
      <PageHead
        title="Defenses"
        description="What stops or detects techniques, and how far you have built it. The scores make up the coverage of the matrix."
        actions={
          mayCreate && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setIsCreating(true)}>
              Create defense
            </Button>
          )
        }
      />
      {canRead ? (
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Type"
            style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
            data={DEFENSE_TYPES.map(({ value, label }) => ({ value, label }))}
            value={type}
            onChange={(value) => url.set({ type: value === 'mitigation' ? null : value }, true)}
          />
          <OfType key={type} type={type} />
        </Stack>
      ) : (
        <NoPermission permission="read attack" />
      )}
      <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="New defense" size="lg">
        <DefenseForm
          type={type}
          onCancel={() => setIsCreating(false)}
          onDone={({ id }) => void navigate({ to: `/attack/defenses/${id}` })}
        />
      </Modal>
    </>
  )
}

function OfType({ type }: { readonly type: DefenseType }) {
  const url = useUrlState()
  const list = useQuery(defensesQuery(type))
  const { list: statusList, byDefense } = useStatuses()
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed)
  const [domain, status, isOwn] = [url.get('domain'), url.get('status'), url.get('own') === 'true']
  const found = useMemo(() => {
    const statusOf = (id: number) => byDefense?.get(id)?.status ?? 'none'
    return matchingDefenses(list.data ?? [], { typed: wanted, domain, status, isOwn }, statusOf)
  }, [list.data, byDefense, wanted, domain, status, isOwn])
  return (
    <>
      <Group gap="sm">
        <TextInput
          type="search"
          aria-label="Filter defenses"
          placeholder="Filter by id, name or platform"
          w={{ base: '100%', xs: 260 }}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <MatrixFilter value={domain} onChange={(value) => url.set({ domain: value }, true)} />
        <Select
          aria-label="Status"
          placeholder="All statuses"
          data={STATUS_NAMES.map(({ value, label }) => ({ value, label }))}
          value={status || null}
          onChange={(value) => url.set({ status: value }, true)}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear status' }}
          w={150}
        />
        <Checkbox
          size="sm"
          label="Only your own"
          checked={isOwn}
          onChange={({ currentTarget }) => url.set({ own: currentTarget.checked ? 'true' : null }, true)}
        />
      </Group>
      <LoadFault query={list} />
      <LoadFault query={statusList} />
      {list.isPending && <Skeleton h={320} role="status" aria-label="Loading defenses" />}
      {list.data && (
        <>
          <Counts type={type} found={found} total={list.data.length} statuses={byDefense} />
          {found.length === 0 ? (
            <EmptyState title={isOwn ? 'None of your own' : 'No matching defenses'}>
              {isOwn && 'Create defenses for what your organisation has built. They survive upgrades of the framework.'}
            </EmptyState>
          ) : (
            <DefenseTable
              key={`${wanted}\n${domain}\n${status}\n${isOwn}`}
              type={type}
              defenses={found}
              statuses={byDefense}
            />
          )}
        </>
      )}
    </>
  )
}

interface CountsProps {
  readonly type: DefenseType
  readonly found: readonly NamedDefense[]
  readonly total: number
  readonly statuses: ReadonlyMap<number, DefenseStatus> | undefined
}

/** How many defenses are shown, and how far they are built. */
function Counts({ type, found, total, statuses }: CountsProps) {
  const built = STATUS_NAMES.slice(1).flatMap(({ value, label }) => {
    const count = found.filter(({ id }) => statuses?.get(id)?.status === value).length
    return count > 0 ? [`${count.toLocaleString('en')} ${label.toLowerCase()}`] : []
  })
  const name = DEFENSE_TYPES.find(({ value }) => value === type)
  const what = counted(total, (name?.one ?? 'defense').toLowerCase(), (name?.label ?? 'defenses').toLowerCase())
  const all = found.length === total ? what : `${found.length.toLocaleString('en')} of ${what}`
  return (
    <Text size="sm" c="dimmed" role="status">
      {[all, ...built].join(' · ')}
    </Text>
  )
}
